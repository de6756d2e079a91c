import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from '@steward/service-kit/command-line/program';
import { stringifyExact } from '@steward/service-kit/json';
import { UsageError } from '@steward/service-kit/process/errors';
import type { AnswerOf } from '@steward/shared/api/answers';
import { auditEndpoints, auditListed } from '@steward/shared/api/endpoints/audit';
import { optionsOf, tell, whom } from './api-command.ts';
import type { Ask } from './ask-service.ts';

type Line = AnswerOf<'getAudit'>['lines'][number];

const { getAudit } = auditEndpoints;
const { options, queryOf } = optionsOf(getAudit);

/** Between two looks for what is new. */
const lookMs = 1_000;

/** Who did what, for whoever has a terminal where the service runs. */
export const auditCommand: Command = {
  summary: getAudit.summary,
  details: `One line each, the oldest first. ${whom}`,
  options,
  flags: {
    follow: 'Continue with new lines, across restarts of the service, until you stop it',
    json: 'Each line as one of JSON',
  },
  async run(given, values) {
    const { isPassing, withService } = await import('./ask-service.ts');
    const query = queryOf(given, values);
    const say = (line: Line) => tell({ result: given.has('json') ? stringifyExact(line) : textOf(line) });
    const isFollowing = given.has('follow');
    if (isFollowing && 'before' in query)
      throw new UsageError('audit --follow shows new lines: leave out --before');
    // One that is not running does nothing, and may not be kept from starting by who waits for what it does.
    await withService(isFollowing ? undefined : 'audit', async (ask) => {
      const first = (await linesOf(ask, query)).toSorted((one, other) => one.number - other.number);
      for (const line of first) say(line);
      const asked = Number(query['limit'] ?? auditListed.usual);
      // Lines for people do not show their numbers.
      const next = 'after' in query ? `--after ${first.at(-1)?.number}` : `--before ${first[0]?.number}`;
      if (!isFollowing && first.length === asked)
        process.stderr.write(
          `There may be more lines than these ${asked}: --limit prints up to ${auditListed.most}, ${next} the next ones\n`,
        );
      let after = String(first.at(-1)?.number ?? query['after'] ?? 0);
      while (isFollowing) {
        const lines = await linesOf(ask, { ...query, after }).catch((error: unknown) => {
          if (isPassing(error)) return [];
          throw error;
        });
        for (const line of lines) say(line);
        after = String(lines.at(-1)?.number ?? after);
        if (lines.length === 0) await pause(lookMs);
      }
    });
    return 0;
  },
};

async function linesOf(ask: Ask, query: Readonly<Record<string, string>>): Promise<readonly Line[]> {
  return ((await ask(getAudit, query)) as AnswerOf<'getAudit'>).lines;
}

function textOf({
  at,
  actor,
  outcome,
  action,
  says,
  subject,
  parameters = {},
  problem,
  count,
}: Line): string {
  // In quotes: a name may look as if the line went on with something else.
  const whom = subject === undefined ? [] : [JSON.stringify(subject.name || subject.idStr)];
  const asked = Object.entries(parameters).map(([name, value]) => `${name}=${stringifyExact(value)}`);
  const more = [
    ...(problem === undefined ? [] : [problem]),
    ...(count === undefined || count === 1 ? [] : [`${count} times`]),
  ];
  return [at, actor, outcome, `${action}:`, says, ...whom, ...asked, ...more].join('  ');
}
