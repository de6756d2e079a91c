import { stepStates } from '@steward/shared/api/answers/readiness';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { InviteWay } from '../../invites/invite-way.ts';

/** The way keeps its own count; Prometheus reads when it asks. */
export function measureWay(registry: Registry, way: InviteWay): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_invite_way_step_state',
    help: '1 for the state that a step of the invite code’s way is in, 0 for the others',
    labelNames: ['step', 'state'],
    registers,
    collect() {
      for (const { step, state } of way.picture.steps)
        for (const one of stepStates) this.set({ step, state: one }, Number(one === state));
    },
  });
  new Counter({
    name: 'steward_invite_way_transitions_total',
    help: 'How often a step of the invite code’s way came into a state',
    labelNames: ['step', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { step, state, times } of way.news.transitions) this.inc({ step, state }, times);
    },
  });
  new Gauge({
    name: 'steward_invite_code_works',
    help: '1 while the invite code with this prefix works',
    labelNames: ['prefix'],
    registers,
    collect() {
      const { platform, network } = way.picture.codes;
      this.set({ prefix: 'S' }, Number(platform !== undefined));
      this.set({ prefix: 'G' }, Number(network !== undefined));
    },
  });
}
