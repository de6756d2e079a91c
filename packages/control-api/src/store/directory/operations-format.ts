import { stat } from 'node:fs/promises';
import { type Newer, newerThan } from '@steward/service-kit/files/json-format';
import { readRegular } from '@steward/service-kit/files/read-regular';
import { readJson } from '@steward/service-kit/json';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import { z } from 'zod';
import { type Operation, operation } from '../../game/operations/operation.ts';

/** Where versions before the database kept operations: read once, and left as it lies. */
export const operationsFileName = 'operations.jsonl';

const currentVersion = 1;

/** In this file `notDurable` is called `unkept`, by every version that knows it. */
const kept = z.preprocess((line) => {
  if (line === undefined || !Object.hasOwn(Object(line), 'unkept')) return line;
  const { unkept, ...rest } = Object(line);
  return { ...rest, notDurable: unkept };
}, operation);

const header = z.strictObject({ version: z.number() });

export type OperationLines =
  | Newer
  | { readonly kind: 'lines'; readonly operations: readonly Operation[]; readonly unreadable: number };

/** What was cut off by a power loss, or is not to be understood, is passed over and counted. */
export function readOperations(text: string): OperationLines {
  const lines = text.split('\n').filter((line) => line !== '');
  const named = header.safeParse(readJson(lines[0] ?? ''));
  const newer = newerThan(currentVersion, named.data?.version);
  if (newer !== undefined) return newer;
  const read = lines.slice(named.success ? 1 : 0).map((line) => kept.safeParse(readJson(line)).data);
  const operations = read.filter((each) => each !== undefined);
  return { kind: 'lines', operations, unreadable: read.length - operations.length };
}

/** The file as it is now, where it is another than the one that `known` tells of: a version before may have written it since. */
export async function changedOperationsFile(
  path: string,
  known: string | undefined,
): Promise<{ readonly text: string; readonly state: string } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    const state = `${size} bytes of ${new Date(mtimeMs).toISOString()}`;
    return state === known ? undefined : { text: (await readRegular(path)).toString(), state };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    throw new OperatorError(
      `STATE_DIR: ${path}, which has the outcomes of commands, cannot be read (${code ?? error}): fix it, or move it away`,
    );
  }
}
