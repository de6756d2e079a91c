import { ownershipProblemCodes } from '@steward/shared/api/answers/readiness';
import { moderationLists } from '@steward/shared/api/moderation-parameters';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { Moderation } from '../../moderation/moderation.ts';
import type { Ownership } from '../../ownership/ownership.ts';
import { knownFacts } from '../../ownership/ownership-map.ts';

const doors = ['platform', 'network'] as const;

/** Ownership counts for itself; Prometheus reads when it asks. */
export function measureOwnership(
  registry: Registry,
  ownership: Ownership,
  bridge: Pick<GameBridge, 'state'>,
): void {
  const registers = [registry];
  new Counter({
    name: 'steward_joins_total',
    help: 'Decisions on who may use a farmhand, by connection and decision',
    labelNames: ['path', 'decision'],
    registers,
    collect() {
      this.reset();
      for (const { path, decision, count } of ownership.counts.all) this.inc({ path, decision }, count);
    },
  });
  new Counter({
    name: 'steward_join_objections_total',
    help: 'Questions of a game that were refused before owners were checked, by reason; a client may ask repeatedly',
    labelNames: ['why'],
    registers,
    collect() {
      this.reset();
      for (const [why, count] of ownership.counts.objections) this.inc({ why }, count);
    },
  });
  new Gauge({
    name: 'steward_farmhands_owned',
    help: 'Farmhands with an owner, by the kind of the owner’s id; absent while it is unknown for a farmhand',
    labelNames: ['door'],
    registers,
    collect() {
      this.reset();
      const { sections } = bridge.state;
      const facts = sections.farmhands?.map(knownFacts(ownership.view, sections));
      if (facts === undefined || facts.includes(undefined)) return;
      for (const door of doors) this.set({ door }, facts.filter((each) => each?.door === door).length);
    },
  });
  new Gauge({
    name: 'steward_ownership_problem',
    help: '1 while the ownership map has this problem, 0 otherwise',
    labelNames: ['problem'],
    registers,
    collect() {
      const now = new Set(ownership.view.problems.map(({ code }) => code));
      for (const problem of ownershipProblemCodes) this.set({ problem }, Number(now.has(problem)));
    },
  });
}

/** The lists of who may come in count for themselves; Prometheus reads when it asks. */
export function measureModeration(registry: Registry, moderation: Moderation): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_moderation_rows',
    help: 'Rows of the two lists: bans and allowlist',
    labelNames: ['list'],
    registers,
    collect() {
      const { counts } = moderation;
      for (const list of moderationLists) this.set({ list }, counts[list]);
    },
  });
  new Gauge({
    name: 'steward_moderation_unreadable',
    help: '1 while the file of bans cannot be read, 0 while it can',
    registers,
    collect() {
      this.set(Number(moderation.problem !== undefined));
    },
  });
}
