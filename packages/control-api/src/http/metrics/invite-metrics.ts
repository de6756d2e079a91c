import { stepStates } from '@steward/shared/api/answers/readiness';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Invites } from '../../invites/invites.ts';
import { breakerStates } from '../../sidecar/circuit-breaker.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';

/** The invites keep count themselves; Prometheus reads when it asks. */
export function measureInvites(registry: Registry, invites: Invites): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_invite_way_step_state',
    help: '1 for the current state of each step to the invite code, 0 for the others',
    labelNames: ['step', 'state'],
    registers,
    collect() {
      for (const { step, state } of invites.status.steps)
        for (const one of stepStates) this.set({ step, state: one }, Number(one === state));
    },
  });
  new Counter({
    name: 'steward_invite_way_transitions_total',
    help: 'How often a step to the invite code entered a state',
    labelNames: ['step', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { step, state, times } of invites.news.transitions) this.inc({ step, state }, times);
    },
  });
  new Gauge({
    name: 'steward_invite_code_works',
    help: '1 while the invite code with this prefix works',
    labelNames: ['prefix'],
    registers,
    collect() {
      const { platform, network } = invites.status.codes;
      this.set({ prefix: 'S' }, Number(platform !== undefined));
      this.set({ prefix: 'G' }, Number(network !== undefined));
    },
  });
}

/** Seconds. A look is answered from memory; a ticket or a lobby may have to be asked of the platform. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20];

export function measureSidecar(registry: Registry, sidecar: SidecarClient): void {
  const registers = [registry];
  const attempts = new Histogram({
    name: 'steward_sidecar_request_duration_seconds',
    help: 'Requests to the sidecar, by request and outcome',
    labelNames: ['request', 'outcome'],
    buckets,
    registers,
  });
  sidecar.onAttempt((request, outcome, seconds) => attempts.observe({ request, outcome }, seconds));
  new Gauge({
    name: 'steward_sidecar_breaker_state',
    help: '1 for the current state of the sidecar’s circuit breaker, 0 for the others',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of breakerStates) this.set({ state }, Number(state === sidecar.breaker.state));
    },
  });
  new Counter({
    name: 'steward_sidecar_breaker_opened_total',
    help: 'How often the circuit breaker opened because the sidecar did not answer',
    registers,
    collect() {
      this.reset();
      this.inc(sidecar.breaker.opened);
    },
  });
}
