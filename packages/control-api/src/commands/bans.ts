import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from '@steward/service-kit/command-line/program';
import { codeInBrackets, exitCode, OperatorError, UsageError } from '@steward/service-kit/process/errors';
import { table } from '@steward/service-kit/text/layout';
import { forTerminal } from '@steward/service-kit/text/terminal';
import type { AnswerOf } from '@steward/shared/api/answers';
import { moderationEndpoints } from '@steward/shared/api/endpoints/moderation';
import { moderationLists } from '@steward/shared/api/moderation-parameters';
import { oneLine } from '@steward/shared/chat/line';
import { fits, inBits, readListFile } from '@steward/shared/player-list';
import { apiCommand, onlyMessage, tell, whom } from './api-command.ts';
import type { Ask } from './ask-service.ts';

const { addBan, allowPlayer, disallowPlayer, importBans, listAllowed, listBans, removeBan } =
  moderationEndpoints;

/** A list of thousands is more writes than may come within a minute. */
const tooManyPauseMs = 5_000;

const importRows: Command = {
  summary: importBans.summary,
  details: `JSON as from GET /bans, or a list with one id or address per line, as other servers store them; text after #, // or ; is ignored. ${whom}`,
  operand: { name: 'file', means: 'The file' },
  options: {
    list: {
      means: `Which list: one of ${moderationLists.join(', ')}; bans by default`,
    },
  },
  flags: {
    'dry-run': 'Only say what would happen',
    force: importBans.query.force.means,
    json: 'The summary as one line of JSON',
  },
  async run(flags, values) {
    const { withService } = await import('./ask-service.ts');
    const list = moderationLists.find((one) => one === (values.get('list') ?? 'bans'));
    if (list === undefined) throw new UsageError(`--list must be one of ${moderationLists.join(', ')}`);
    const path = values.get('file') ?? '';
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw new OperatorError(`${path} cannot be read${codeInBrackets(error)}`);
    });
    const read = readListFile(text, list, (word) => isIP(word) !== 0);
    if (read === undefined) throw new OperatorError('The file begins like JSON, but is not valid: fix it');
    const { rows, unread } = read;
    if (rows.length + unread.length === 0)
      throw new OperatorError(`${path} has no entry for the list ${list}`);
    const common = { list, force: String(flags.has('force')), dryRun: String(flags.has('dry-run')) };
    const sum = { added: 0, alreadyThere: 0, over: 0, refused: [] as { row: number; reason: string }[] };
    await withService('bans import', async (ask) => {
      let first = 0;
      for (const bit of inBits(rows)) {
        if (!fits(bit)) {
          sum.refused.push({ row: first, reason: 'it is too long' });
          first += 1;
          continue;
        }
        const answer = await patiently(ask, { ...common, rows: JSON.stringify(bit) });
        sum.added += answer.added;
        sum.alreadyThere += answer.alreadyThere;
        sum.over += answer.over;
        for (const { row, reason } of answer.refused) sum.refused.push({ row: row + first, reason });
        first += bit.length;
      }
    });
    for (const { line, text: what } of unread)
      process.stderr.write(
        `line ${line} has no id or address: ${forTerminal(JSON.stringify(oneLine(what)))}\n`,
      );
    for (const { row, reason } of sum.refused)
      process.stderr.write(`row ${row + 1} is left out: ${forTerminal(reason)}\n`);
    const summary = flags.has('json')
      ? JSON.stringify({ ...sum, unread })
      : summaryOf(sum, flags.has('dry-run'));
    tell({ result: summary });
    return sum.refused.length + unread.length === 0 ? exitCode.ok : exitCode.failure;
  },
};

/** Who is kept out, and who alone comes in, for whoever has a terminal where the service runs. */
export const banCommands: Readonly<Record<string, Command>> = {
  'bans list': apiCommand<'listBans'>('bans list', listBans, ({ bans }) => ({
    result: bans.length === 0 ? 'Nobody is banned' : listOf(bans),
  })),
  'bans add': apiCommand<'addBan'>('bans add', addBan, onlyMessage),
  'bans remove': apiCommand<'removeBan'>('bans remove', removeBan, onlyMessage),
  'bans import': importRows,
  'allowlist list': apiCommand<'listAllowed'>('allowlist list', listAllowed, ({ allowlist }) => ({
    result: allowlist.length === 0 ? 'The allowlist is off: everybody can join' : listOf(allowlist),
  })),
  'allowlist add': apiCommand<'allowPlayer'>('allowlist add', allowPlayer, onlyMessage),
  'allowlist remove': apiCommand<'disallowPlayer'>('allowlist remove', disallowPlayer, onlyMessage),
};

async function patiently(ask: Ask, query: Readonly<Record<string, string>>): Promise<AnswerOf<'importBans'>> {
  const { Refusal } = await import('./ask-service.ts');
  for (;;) {
    try {
      return (await ask(importBans, query)) as AnswerOf<'importBans'>;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'too-many-requests') throw error;
      await pause(tooManyPauseMs);
    }
  }
}

function summaryOf(
  { added, alreadyThere, over }: Readonly<Record<'added' | 'alreadyThere' | 'over', number>>,
  isDryRun: boolean,
): string {
  const verb = isDryRun ? 'would be added' : 'added';
  return `${added} ${verb}, ${alreadyThere} already on the list, ${over} already over`;
}

function listOf(rows: AnswerOf<'listBans'>['bans']): string {
  return table([
    ['ID', 'WHO', 'UNTIL', 'REASON'],
    ...rows.map(({ id, playerName, playerIdStr, identity, address, until = 'for good', reason = '' }) => [
      id,
      oneLine(playerName ?? playerIdStr ?? identity ?? address ?? ''),
      until,
      reason,
    ]),
  ]);
}
