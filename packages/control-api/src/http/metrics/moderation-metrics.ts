import { moderationLists } from '@steward/shared/api/moderation-parameters';
import { Gauge, type Registry } from 'prom-client';
import type { Moderation } from '../../moderation/moderation.ts';

/** The lists of who may come in count for themselves; Prometheus reads when it asks. */
export function measureModeration(registry: Registry, moderation: Moderation): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_moderation_rows',
    help: 'Rows of the two lists of moderation: who is banned, and who is on the allowlist',
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
