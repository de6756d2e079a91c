import { readJson } from '@steward/service-kit/json';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import { Problem } from '@steward/shared/problems/problem';
import { z } from 'zod';
import { type GivenRow, givenRow } from './lists.ts';

/** As GET /bans shows a row: where numbers are doubles the twin alone is whole. */
const shownRow = z
  .looseObject({ playerIdStr: z.string().optional() })
  .transform(({ playerIdStr, playerId, ...row }) => ({
    ...row,
    ...(playerIdStr === undefined && playerId === undefined ? {} : { playerId: playerIdStr ?? playerId }),
  }))
  .pipe(givenRow);

/** Rows that somebody brings: those that can be taken, and why the others cannot. */
export function readImported(
  text: string,
  objectionTo: (address: string | undefined) => string | undefined,
): { readonly good: readonly GivenRow[]; readonly refused: { row: number; reason: string }[] } {
  const json = readJson(text);
  if (!Array.isArray(json)) throw new Problem('invalid-parameter', 'rows is not a JSON array of rows');
  const good: GivenRow[] = [];
  const refused: { row: number; reason: string }[] = [];
  for (const [row, given] of json.entries()) {
    const read = shownRow.safeParse(given);
    const reason = read.success ? objectionTo(read.data.address) : firstIssue(read.error);
    if (reason !== undefined) refused.push({ row, reason });
    else if (read.success) good.push(read.data);
  }
  return { good, refused };
}
