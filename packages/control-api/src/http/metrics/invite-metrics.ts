import { oneOf, readWhenAsked } from '@steward/service-kit/process/read-when-asked';
import { stepStates } from '@steward/shared/api/answers/readiness';
import { Histogram, type Registry } from 'prom-client';
import type { Invites } from '../../invites/invites.ts';
import { breakerStates } from '../../sidecar/circuit-breaker.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';

/** The invites keep count themselves. */
export function measureInvites(registry: Registry, invites: Invites): void {
  const { gaugeBy, counterBy } = readWhenAsked(registry);
  gaugeBy(
    'steward_invite_way_step_state',
    '1 for the current state of each step to the invite code, 0 for the others',
    ['step', 'state'],
    () =>
      invites.status.steps.flatMap(({ step, state }) =>
        stepStates.map((one) => [step, one, Number(one === state)] as const),
      ),
  );
  counterBy(
    'steward_invite_way_transitions_total',
    'How often a step to the invite code entered a state',
    ['step', 'state'],
    () => [...invites.news.transitions].map(({ step, state, times }) => [step, state, times]),
  );
  gaugeBy('steward_invite_code_works', '1 while the invite code with this prefix works', ['prefix'], () => {
    const { platform, network } = invites.status.codes;
    return [
      ['S', Number(platform !== undefined)],
      ['G', Number(network !== undefined)],
    ];
  });
}

/** Seconds. A look is answered from memory; a ticket or a lobby may have to be asked of the platform. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20];

export function measureSidecar(registry: Registry, sidecar: SidecarClient): void {
  const { gaugeBy, counter } = readWhenAsked(registry);
  const attempts = new Histogram({
    name: 'steward_sidecar_request_duration_seconds',
    help: 'Requests to the sidecar, by request and outcome',
    labelNames: ['request', 'outcome'],
    buckets,
    registers: [registry],
  });
  sidecar.onAttempt((request, outcome, seconds) => attempts.observe({ request, outcome }, seconds));
  gaugeBy(
    'steward_sidecar_breaker_state',
    '1 for the current state of the sidecar’s circuit breaker, 0 for the others',
    ['state'],
    () => oneOf(breakerStates, sidecar.breaker.state),
  );
  counter(
    'steward_sidecar_breaker_opened_total',
    'How often the circuit breaker opened because the sidecar did not answer',
    () => sidecar.breaker.opened,
  );
}
