import type { StepName } from '@steward/shared/api/answers/readiness';
import { capital } from '@steward/shared/capital';
import type { SelfHosted } from '../game/state/self-hosted.ts';
import type { WayFacts } from './facts.ts';
import { type Finding, ok, waiting, working } from './finding.ts';
import { findLogin, findSidecar } from './findings.ts';
import { gameAway } from './hosting.ts';

/**
 * The way where another server walks it. Its sidecar may be ours, and is then watched; what lies between is that server's
 * own, and nothing is asked of either about it.
 */
export function findOfSelfHosted(step: StepName, server: SelfHosted, facts: WayFacts): Finding {
  switch (step) {
    case 'sidecar':
      return facts.sidecar === undefined ? notOurs(server, 'its sidecar') : findSidecar(facts);
    case 'login':
      return facts.sidecar === undefined ? notOurs(server, 'its sidecar') : findLogin(facts);
    case 'codes':
      return gameAway(facts.bridge) ?? findShownCodes(server);
    default:
      return notOurs(server, 'this');
  }
}

function findShownCodes({ name, codes: { platform, network } }: SelfHosted): Finding {
  if (platform !== undefined && network !== undefined) return ok('Both codes work');
  if (network !== undefined) return working('The G code works, the S code does not yet');
  if (platform !== undefined) return working('The S code works, the G code does not yet');
  return waiting(
    `${capital(name)} shows no invite code`,
    'Look at its log, if it is to have one: it asks its sidecar only when it hosts',
  );
}

function notOurs({ name }: SelfHosted, what: string): Finding {
  return { kind: 'off', reason: `${capital(name)} sees to ${what} itself` };
}
