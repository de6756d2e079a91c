import { type Newer, newerThan } from '@steward/service-kit/files/json-format';
import { readJson } from '@steward/service-kit/json';
import { z } from 'zod';
import { type Operation, operation } from '../game/operations/operation.ts';

const currentVersion = 1;

/** Above a line for each change; files of this kind once had none. */
export const firstLine = `${JSON.stringify({ version: currentVersion })}\n`;

/** In this file `notDurable` is called `unkept`, by every version that knows it. */
const kept = z.preprocess((line) => {
  if (line === undefined || !Object.hasOwn(Object(line), 'unkept')) return line;
  const { unkept, ...rest } = Object(line);
  return { ...rest, notDurable: unkept };
}, operation);

export function lineOf({ notDurable, ...rest }: Operation): string {
  return `${JSON.stringify(notDurable === undefined ? rest : { ...rest, unkept: notDurable })}\n`;
}

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
