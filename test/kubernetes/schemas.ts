import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from './rendered.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Of kinds that Kubernetes itself does not have. */
const extensions = '@kubernetes-models/prometheus-operator';

/** What the published schemas have against the values of an object: kinds of values, what is required, forms. They do not see a field that is not theirs. */
export async function wrongValues(object: KubernetesObject): Promise<string[]> {
  const { apiVersion, kind, metadata } = object;
  const from = isExtension(object) ? extensions : 'kubernetes-models';
  const { [kind]: Model } = await import(`${from}/${apiVersion}/${kind}`);
  try {
    new Model(object).validate();
    return [];
  } catch (error) {
    return [`${kind} ${metadata.name}: ${error instanceof Error ? error.message : error}`];
  }
}

/** What the compiler has against each object as a literal of its kind's type: fields that the kind does not have. */
export async function wrongFields(objects: readonly KubernetesObject[]): Promise<string[]> {
  // Below node_modules, where the compiler finds the types.
  const directory = join(modules, '.cache', `rendered-${process.pid}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(directory, { recursive: true });
  try {
    const lines = objects.map((object, index) => {
      const value = JSON.stringify(object);
      return `import type { ${typeOf(object)} as Kind${index} } from '${typesOf(object)}'; export const o${index}: Kind${index} = ${value};`;
    });
    writeFileSync(join(directory, 'rendered.ts'), lines.join('\n'));
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    const printed = await compile(join(directory, 'rendered.ts'));
    return [...printed.matchAll(/rendered\.ts\((\d+),\d+\): (.*)/g)].map(([, line, said]) => {
      const { kind = '', metadata } = objects[Number(line) - 1] ?? {};
      return `${kind} ${metadata?.name}: ${said}`;
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function compile(file: string): Promise<string> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--pretty', 'false'];
  const target = ['--module', 'nodenext', '--target', 'es2024', '--types', ''];
  return new Promise((resolve, reject) => {
    const compiler = [join(modules, 'typescript/bin/tsc'), ...options, ...target, file];
    execFile(process.execPath, compiler, (error, stdout, stderr) => {
      // It ends with an exit code of its own where something is wrong with the file, and only then prints.
      if (error !== null && stdout === '') reject(new Error(stderr || error.message));
      else resolve(stdout);
    });
  });
}

function isExtension({ apiVersion }: KubernetesObject): boolean {
  return apiVersion.startsWith('monitoring.coreos.com/');
}

function typeOf(object: KubernetesObject): string {
  return isExtension(object) ? `I${object.kind}` : object.kind;
}

function typesOf(object: KubernetesObject): string {
  const { apiVersion, kind } = object;
  if (isExtension(object)) return `${extensions}/${apiVersion}/${kind}`;
  const [version, group = 'core'] = apiVersion.split('/').toReversed();
  return `kubernetes-types/${group.split('.')[0]}/${version}.js`;
}
