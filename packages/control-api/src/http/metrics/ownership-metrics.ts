import { readWhenAsked } from '@steward/service-kit/process/read-when-asked';
import { ownershipProblemCodes } from '@steward/shared/api/answers/readiness';
import { moderationLists } from '@steward/shared/api/moderation-parameters';
import type { Registry } from 'prom-client';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { Moderation } from '../../moderation/moderation.ts';
import type { Ownership } from '../../ownership/ownership.ts';
import { knownFacts } from '../../ownership/ownership-map.ts';

const doors = ['platform', 'network'] as const;

/** Ownership counts for itself. */
export function measureOwnership(
  registry: Registry,
  ownership: Ownership,
  bridge: Pick<GameBridge, 'state'>,
): void {
  const { gaugeBy, counterBy } = readWhenAsked(registry);
  counterBy(
    'steward_joins_total',
    'Decisions on who may use a farmhand, by connection and decision',
    ['path', 'decision'],
    () => [...ownership.counts.all].map(({ path, decision, count }) => [path, decision, count]),
  );
  counterBy(
    'steward_join_objections_total',
    'Questions of a game that were refused before owners were checked, by reason; a client may ask repeatedly',
    ['why'],
    () => ownership.counts.objections,
  );
  gaugeBy(
    'steward_farmhands_owned',
    'Farmhands with an owner, by the kind of the owner’s id; absent while it is unknown for a farmhand',
    ['door'],
    () => {
      const { sections } = bridge.state;
      const facts = sections.farmhands?.map(knownFacts(ownership.view, sections));
      if (facts === undefined || facts.includes(undefined)) return [];
      return doors.map((door) => [door, facts.filter((each) => each?.door === door).length]);
    },
  );
  gaugeBy(
    'steward_ownership_problem',
    '1 while the ownership map has this problem, 0 otherwise',
    ['problem'],
    () => {
      const now = new Set(ownership.view.problems.map(({ code }) => code));
      return ownershipProblemCodes.map((problem) => [problem, Number(now.has(problem))]);
    },
  );
}

/** The lists of who may come in count for themselves. */
export function measureModeration(registry: Registry, moderation: Moderation): void {
  const { gauge, gaugeBy } = readWhenAsked(registry);
  gaugeBy('steward_moderation_rows', 'Rows of the two lists: bans and allowlist', ['list'], () =>
    moderationLists.map((list) => [list, moderation.counts[list]]),
  );
  gauge('steward_moderation_unreadable', '1 while the file of bans cannot be read, 0 while it can', () =>
    Number(moderation.problem !== undefined),
  );
}
