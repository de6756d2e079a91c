import type { StepName } from '@steward/shared/api/answers/readiness';
import { capital } from '@steward/shared/text';
import { lobbyVisibility } from '@steward/shared/wire-values';
import { passes, type SelfHosted } from '../game/state/bridge-state.ts';
import { codesOf, type InviteFacts, isLinked } from './facts.ts';
import { failing, gameAway, ok, type StepFinding, sentence, waiting, working } from './step-finding.ts';

export function findSidecar({ sidecar }: InviteFacts): StepFinding {
  const { health, lobby, lookAt } = sidecar ?? {};
  if (health === undefined) return working('Asking the sidecar for the first time');
  if (!health.ok) return failing(health.refusal, lookAt);
  // Its health is everybody's to see; only what comes after shows whether it takes our secret.
  if (lobby?.ok === false && lobby.refusal.kind === 'secret') return failing(lobby.refusal, lookAt);
  return ok('The sidecar answers');
}

export function findLogin({ sidecar }: InviteFacts): StepFinding {
  const { health } = sidecar ?? {};
  if (health?.ok !== true) return working('The sidecar has not reported its session');
  const { session } = health.value;
  if (health.value.logged_in) return ok('The sidecar has a platform session');
  const { state, reason, next_retry: nextRetry } = session;
  if (state === 'logging-in') return working(reason);
  if (state === 'paced') return { ...working(reason), ...(nextRetry === undefined ? {} : { nextRetry }) };
  return failing(session, nextRetry === undefined ? undefined : new Date(nextRetry));
}

export function findTicket(facts: InviteFacts): StepFinding {
  const { ticket } = facts;
  if (facts.bridge.sections.networks?.network.signedIn === true && gameAway(facts.bridge) === undefined)
    return ok('The game has signed in with a ticket');
  if (ticket.kind === 'given') return ok('The game has a ticket');
  if (ticket.kind === 'asked') return working('Asking the sidecar for a ticket');
  if (ticket.kind === 'refused') return failing(ticket);
  return gameAway(facts.bridge) ?? waiting('The game has not asked for a ticket yet', passes);
}

export function findSignIn(facts: InviteFacts): StepFinding {
  const away = gameAway(facts.bridge);
  if (away !== undefined) return away;
  const { network } = facts.bridge.sections.networks ?? {};
  if (network?.signedIn === true) return ok('The game is signed in to the cross-platform network');
  return working(sentence(network?.why, 'The game is not signed in to the cross-platform network'));
}

export function findNetworkLobby(facts: InviteFacts): StepFinding {
  const away = gameAway(facts.bridge);
  if (away !== undefined) return away;
  const { lobby, why } = facts.bridge.sections.networks?.network ?? {};
  if (lobby === undefined) return working(sentence(why, 'The network lobby is not open yet'));
  if (lobby.visibility === lobbyVisibility) return ok('The network lobby is open and Public');
  return failing({
    reason: `The network lobby is ${lobby.visibility}: nobody could join with its codes`,
    remedy: 'Update the game’s mod: it must ask for the visibility of its lobby and apply the answer',
  });
}

export function findPlatformLobby(facts: InviteFacts): StepFinding {
  const away = gameAway(facts.bridge);
  if (away !== undefined) return away;
  const { sidecar, bridge } = facts;
  const { relay } = bridge.sections.networks ?? {};
  if (sidecar === undefined)
    return isLinked(facts) ? ok('The game has its own platform lobby') : waiting('There is no sidecar');
  if (relay?.serverId === undefined)
    return working(sentence(relay?.why, 'The game’s relay is not logged in to the platform yet'));
  const { published, lobby, takenUntil, lookAt } = sidecar;
  if (published?.gameServerId === relay.serverId) return ok('The platform lobby is open and Public');
  if (takenUntil !== undefined) return failing(sharedSidecar, takenUntil);
  if (lobby === undefined) return working('The sidecar has not reported its lobby');
  if (!lobby.ok) return failing(lobby.refusal, lookAt);
  const { reason, next_retry } = lobby.value;
  if (reason === undefined) return working('The sidecar is opening the platform lobby');
  const contended = sidecar.health?.ok === true ? sidecar.health.value.contended : undefined;
  const retryAt = next_retry === undefined ? lookAt : new Date(next_retry);
  return failing({ reason, remedy: contended?.remedy }, retryAt);
}

const sharedSidecar = {
  reason: 'Another farm uses this sidecar, too, and has taken over its lobby',
  remedy:
    'Give each farm its own sidecar, and check PLATFORM_AUTH_URL of each. Until then both take turns, less and less often; it recovers by itself once the other has its own',
};

export function findLobbyLink(facts: InviteFacts): StepFinding {
  const away = gameAway(facts.bridge);
  if (away !== undefined) return away;
  if (isLinked(facts)) return ok('The network lobby points to the platform lobby');
  const { lobbyLink } = facts;
  return lobbyLink.kind === 'refused'
    ? failing(lobbyLink, lobbyLink.retryAt)
    : working('The game is linking its lobby');
}

export function findCodes(facts: InviteFacts): StepFinding {
  const { platform, network } = codesOf(facts);
  if (platform !== undefined) return ok('Both codes work');
  if (network !== undefined) return working('The G code works, the S code does not yet');
  return gameAway(facts.bridge) ?? working('There is no invite code yet');
}

/**
 * The steps where another server takes them. Its sidecar may be ours, and is then watched; what lies between is that server's
 * own, and nothing is asked of either about it.
 */
export function findOfSelfHosted(step: StepName, server: SelfHosted, facts: InviteFacts): StepFinding {
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

function findShownCodes({ name, codes: { platform, network } }: SelfHosted): StepFinding {
  if (platform !== undefined && network !== undefined) return ok('Both codes work');
  if (network !== undefined) return working('The G code works, the S code does not yet');
  if (platform !== undefined) return working('The S code works, the G code does not yet');
  return waiting(
    `${capital(name)} shows no invite code`,
    'If it should have one, check its log: it asks its sidecar only when it hosts',
  );
}

function notOurs({ name }: SelfHosted, what: string): StepFinding {
  return { kind: 'off', reason: `${capital(name)} handles ${what} itself` };
}
