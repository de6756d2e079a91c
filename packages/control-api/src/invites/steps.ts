import type { StepName } from '@steward/shared/api/answers/readiness';
import { breakerLimits } from '../sidecar/circuit-breaker.ts';
import { sidecarLimits } from '../sidecar/limits.ts';
import type { InviteFacts } from './facts.ts';
import {
  findCodes,
  findLobbyLink,
  findLogin,
  findNetworkLobby,
  findPlatformLobby,
  findSidecar,
  findSignIn,
  findTicket,
} from './findings.ts';
import { inviteLimits } from './limits.ts';
import type { StepFinding } from './step-finding.ts';

/** One step to the invite codes: what it waits for, when it is done, what takes it away, and what is done about that. */
export interface StepRow {
  /** As it is called in a sentence. */
  readonly title: string;
  /** Nothing can be done for it before these are ok. What already holds is not lost with them. */
  readonly needs: readonly StepName[];
  readonly okWhen: string;
  readonly does: string;
  readonly lostBy: string;
  readonly find: (facts: InviteFacts) => StepFinding;
}

/** The steps to the invite codes, in their order. The machine, the answers, the metrics and the page are made from this table. */
export const steps: Readonly<Record<StepName, StepRow>> = {
  sidecar: {
    title: 'the sidecar',
    needs: [],
    okWhen: 'it answers `/health`, and accepts the secret',
    does: `checks it every ${seconds(inviteLimits.lookMs)}; after ${breakerLimits.failures} failures in a row at growing intervals of up to ${seconds(breakerLimits.pauses.longestMs)}`,
    lostBy: 'its process ends, the network fails, the secret changes',
    find: findSidecar,
  },
  login: {
    title: 'the platform session',
    needs: ['sidecar'],
    okWhen: 'the sidecar says `logged_in`',
    does: 'nothing: the sidecar logs in again by itself; its reason, remedy and next attempt are passed on',
    lostBy: 'the platform, another program with the same account, an expired token',
    find: findLogin,
  },
  ticket: {
    title: 'the app ticket',
    needs: ['login'],
    okWhen: 'the game has one, or is signed in',
    does: `asks the sidecar whenever the game asks; waits up to ${seconds(sidecarLimits.ticketMs)} for a running login`,
    lostBy: 'a restart of the game, which needs a new one',
    find: findTicket,
  },
  'network-sign-in': {
    title: 'the network sign-in',
    needs: ['ticket'],
    okWhen: 'the game says that it is signed in to the cross-platform network',
    does: 'nothing: the game signs in with the ticket, and retries by itself',
    lostBy: 'an outage of the network, a restart of the game',
    find: findSignIn,
  },
  'network-lobby': {
    title: 'the network lobby',
    needs: ['network-sign-in'],
    okWhen: 'the game has a lobby, and it is Public',
    does: 'answers Public when the game asks for the visibility',
    lostBy: 'the network drops the lobby, a restart of the game',
    find: findNetworkLobby,
  },
  'platform-lobby': {
    title: 'the platform lobby',
    needs: ['login', 'network-lobby'],
    okWhen: 'the sidecar says that the lobby is open, and it points to the game’s relay id',
    does: 'asks the sidecar for it, again after a restart of the sidecar or of the game; the sidecar keeps it alive',
    lostBy:
      'the platform session, the platform closes the lobby, a restart of the sidecar, another farm with the same sidecar',
    find: findPlatformLobby,
  },
  link: {
    title: 'the link between the lobbies',
    needs: ['network-lobby', 'platform-lobby'],
    okWhen: 'the game’s lobby points to the current platform lobby',
    does: 'sends `linkLobby` to the game, and removes the link when the platform lobby is gone, or another farm has taken it',
    lostBy: 'either lobby',
    find: findLobbyLink,
  },
  codes: {
    title: 'the invite codes',
    needs: ['link'],
    okWhen: 'both the `S` and the `G` code work; the `G` code works from the network lobby on',
    does: 'shows each code only while it works',
    lostBy: 'the link for `S`; the network lobby or sign-in for both',
    find: findCodes,
  },
};

function seconds(ms: number): string {
  return `${ms / 1_000} seconds`;
}
