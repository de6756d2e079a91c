import { createHash } from 'node:crypto';
import { JsonFormat } from '@steward/service-kit/files/json-format';
import { readJson } from '@steward/service-kit/json';
import { type ListRow, listRow } from '@steward/shared/api/answers/moderation';
import { keyExpiry } from '@steward/shared/api/key-parameters';
import { moderationLimits } from '@steward/shared/api/moderation-parameters';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import { shownReason } from '@steward/shared/chat/line';
import { Problem } from '@steward/shared/problems/problem';
import { humanText } from '@steward/shared/wire-values';
import { z } from 'zod';
import { writtenOperation } from '../game/operations/operation.ts';
import { printNetwork, readNetwork } from '../ip-networks.ts';

const currentVersion = 1;

/** Of the last operations: a crash may have kept those from the database that ended just before it. */
export const longestJournal = 100;

const longestName = 200;
/** A player has come by a few doors at the most. */
export const mostIdentities = 20;

/** Brought into the one form that is compared. */
const network = z.string().transform((text, context) => {
  const read = readNetwork(text);
  if (read !== undefined) return printNetwork(read);
  context.issues.push({ code: 'custom', message: 'is not an address or a network', input: text });
  return z.NEVER;
});

/** By hand people write a day, too. */
const instant = z.string().transform((text, context) => {
  const parsed = keyExpiry.parse(text);
  if (parsed.ok && 'at' in parsed.value) return parsed.value.at;
  context.issues.push({ code: 'custom', message: 'is not a day or a time in UTC', input: text });
  return z.NEVER;
});

/** What stands in a file may be somebody's hand-writing: it is cleaned as what comes over the API is. */
const reason = z.string().transform((text) => {
  const shown = shownReason(text);
  return shown.ok ? shown.value.text : undefined;
});

const whomNames = ['playerId', 'identity', 'address'] as const;

/** A row as a person writes one, too: its id and when it was made are filled in. */
export const givenRow = listRow
  .partial({ id: true })
  .extend({
    id: z
      .string()
      .regex(/^row_[0-9a-f]{12}$/, 'is not the id of a row')
      .optional(),
    playerName: humanText(longestName).optional(),
    identities: listRow.shape.identities.unwrap().max(mostIdentities).optional(),
    address: network.optional(),
    reason: reason.optional(),
    until: instant.optional(),
  })
  .refine(
    (row) => whomNames.filter((name) => row[name] !== undefined).length === 1,
    `must have exactly one of ${whomNames.join(', ')}`,
  );

export type GivenRow = z.infer<typeof givenRow>;

const rows = z
  .array(givenRow)
  .max(moderationLimits.rows)
  .default([])
  .transform((given) => {
    const ids = new Set<string>();
    const copies = new Map<string, number>();
    return given.map((row): ListRow => {
      const whom = whomOf(row);
      let { id } = row;
      // Copied by hand with its id, too: each is still to be found by one of its own, wherever it stands.
      for (let copy = copies.get(whom) ?? 0; id === undefined || ids.has(id); copy += 1) {
        id = idOf({ whom, copy });
        copies.set(whom, copy + 1);
      }
      ids.add(id);
      return withId(row, id);
    });
  });

const listsContent = z.object({
  version: z.literal(currentVersion),
  bans: rows,
  allowlist: rows,
  /** What was done last, written together with its effect. */
  journal: z.array(writtenOperation).max(longestJournal).default([]),
});

/** Who is kept out, and who alone comes in where anybody is listed. Never changed in place. */
export type Lists = Readonly<z.infer<typeof listsContent>>;

export const noLists: Lists = { version: currentVersion, bans: [], allowlist: [], journal: [] };

export const listsFormat = new JsonFormat<Lists>(currentVersion, listsContent);

/** What is wrong with a file that cannot be read, for whoever wrote it. */
export function issueOf(json: unknown): z.ZodError | undefined {
  return listsContent.safeParse(json).error;
}

export function printLists(lists: Lists): string {
  return `${JSON.stringify(lists, null, 2)}\n`;
}

export function withId({ id: _, ...row }: GivenRow, id: string): ListRow {
  return { id, ...row };
}

/** The same as long as what is given is: a row without an id keeps the one that it was shown with. */
export function idOf(given: object): string {
  return `row_${createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 12)}`;
}

/** Whom a row is about, as one text. */
export function whomOf({ playerId, identity, address }: GivenRow | ListRow): string {
  if (playerId !== undefined) return `player ${playerId}`;
  return identity === undefined ? `address ${address}` : `identity ${identity}`;
}

/** Ends by the wall clock: whoever sets that right sets this right. */
export function isOver({ until }: Pick<ListRow, 'until'>, now: number): boolean {
  return until !== undefined && Date.parse(until) <= now;
}

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
