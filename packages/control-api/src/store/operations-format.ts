import { upgraded } from '@steward/service-kit/files/file-versions';
import { JsonFormat, type JsonObject } from '@steward/service-kit/files/json-format';
import { readJson } from '@steward/service-kit/json';
import { z } from 'zod';
import { type Operation, operation } from '../game/operations/operation.ts';

const currentVersion = 1;

/** A line for each change, below one that names the version of them all. */
export const operationsFormat = new JsonFormat<Operation>(
  {
    name: 'Recent commands and how they ended',
    place: 'STATE_DIR/operations.jsonl',
    current: currentVersion,
    migrations: [],
    // As it was before files of this kind had a first line.
    unversioned: 1,
    whenNewer:
      'Commands work and are forgotten with the process; one with an `Idempotency-Key` is refused with `state-unreadable`, as it may be a retry; `/status` says so in `unreadFiles`',
  },
  operation,
);

export const firstLine = `${JSON.stringify({ version: currentVersion })}\n`;

const header = z.strictObject({ version: z.number() });

export type OperationLines =
  | { readonly kind: 'newer'; readonly reason: string }
  | { readonly kind: 'lines'; readonly operations: readonly Operation[]; readonly unreadable: number };

/** What was cut off by a power loss, or is not to be understood, is passed over and counted. */
export function readOperations(text: string): OperationLines {
  const lines = text.split('\n').filter((line) => line !== '');
  const named = header.safeParse(readJson(lines[0] ?? ''));
  const version = named.data?.version;
  const standing = upgraded<JsonObject>(operationsFormat.versions, version, {});
  if (standing.kind === 'newer') return standing;
  const read = lines.slice(named.success ? 1 : 0).map((line) => readLine(line, version));
  const operations = read.filter((each) => each !== undefined);
  return { kind: 'lines', operations, unreadable: read.length - operations.length };
}

function readLine(line: string, version: number | undefined): Operation | undefined {
  const json = z.record(z.string(), z.unknown()).safeParse(readJson(line));
  if (!json.success) return undefined;
  const read = operationsFormat.readObject(json.data, version);
  return read.kind === 'content' ? read.content : undefined;
}
