import type { Container } from 'kubernetes-types/core/v1.js';
import { containersOf, type KubernetesObject, type Pod, podsOf } from './rendered.ts';

type Objects = readonly KubernetesObject[];

export function farms(objects: Objects): Pod[] {
  return podsOf(objects).filter(({ owner }) => owner.kind === 'StatefulSet');
}

/** The existing server's image is not ours. */
export function ours(objects: Objects): Container[] {
  return podsOf(objects).flatMap(containersOf).filter(isOurs);
}

export function isOurs({ name }: Container): boolean {
  return name !== 'existing';
}

/** By kind, and by how its name begins. */
export function first(objects: Objects, kind: string, beginning = ''): KubernetesObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name.startsWith(beginning));
  if (found === undefined) throw new Error(`there is no ${kind} ${beginning}`);
  return found;
}

/** What is broken on purpose: of the first farm that there is. */
export function farm(objects: Objects) {
  return first(objects, 'StatefulSet', 'farm')['spec'].template.spec;
}

export function server(objects: Objects) {
  return farm(objects).containers.find(({ name }: Container) => name === 'server');
}

export function sidecar(objects: Objects) {
  return farm(objects).initContainers[0];
}
