import { keepingNobodyOut, type Obstacle } from '@steward/shared/api/answers/readiness';
import { timestampOf } from '@steward/shared/wire-values';
import { type BridgeState, isConnected, passes, remedyOf, triesAgain } from '../game/state/bridge-state.ts';
import { rootOf } from '../invites/invite-status.ts';
import type { ListsProblem } from '../moderation/lists-register.ts';
import type { OwnershipProblem } from '../ownership/ownership-file.ts';
import type { StateProblem } from '../store/directory/state-directory.ts';
import type { StoreProblem } from '../store/tables/store-error.ts';
import type { FarmView } from './farm-view.ts';

/** Whether players can join, whatever else is in the way. */
export function isJoinable({ state, owners }: FarmView, obstacles: readonly Obstacle[]): boolean {
  // The disk is asked only where somebody becomes an owner by joining.
  const needsDisk = state.selfHosted === undefined && owners.isEnforced;
  return obstacles.every(
    ({ code }) => Object.hasOwn(keepingNobodyOut, code) || (code === 'state-unwritable' && !needsDisk),
  );
}

const byAddress =
  'let players join by IP, in the settings on the page or with POST /settings?allowIpConnections=true';

/** All that is in the way now: what keeps players out, and then what keeps chat from passing, and from being kept. */
export function obstaclesOf(view: FarmView): Obstacle[] {
  const { disk, store, keysLost, state, invites } = view;
  const { contended } = invites;
  const kept = [
    ...(store === undefined ? [] : [notKept(store)]),
    ...(keysLost === undefined ? [] : [withTimestamp(keysLost)]),
  ];
  return [
    ...keepingOut(view),
    ...(disk === undefined ? [] : [withTimestamp(disk)]),
    ...(contended === undefined ? [] : [{ code: 'account-contended' as const, ...contended }]),
    ...noChat(state),
    ...kept,
  ];
}

/** What keeps players out now beside a full disk, nearest cause first. */
function keepingOut(view: FarmView): Obstacle[] {
  return [...seenOff(view), ...ofTheGame(view)];
}

/** A game that comes back lets players in as soon as it is there. */
function seenOff({ draining, drainRemedy = passes }: FarmView): Obstacle[] {
  if (draining === undefined || draining.phase === 'starting') return [];
  const isOver = draining.phase === 'stopped';
  return [
    {
      code: 'draining',
      reason: isOver ? 'A drain has stopped the game' : 'A drain is running: nobody new can join',
      remedy: drainRemedy,
      since: draining.startedAt,
    },
  ];
}

function ofTheGame(view: FarmView): Obstacle[] {
  const { link, sections, isWhole } = view.state;
  const since = timestampOf(link.since);
  const { reason } = link;
  const remedy = remedyOf(link) ?? passes;
  if (!isConnected(link.status)) return [{ code: 'no-game', reason, remedy, since }];
  if (link.status === 'frozen') return [{ code: 'game-frozen', reason, remedy, since }];
  if (!isWhole)
    return [
      { code: 'no-state', reason: 'The game has not sent its complete state yet', remedy: passes, since },
    ];
  const { status } = sections;
  if (status?.isOnline !== true)
    return [
      { code: 'no-farm', reason: 'No farm is loaded', remedy: 'Load a farm, or wait until it is loaded' },
    ];
  const found: Obstacle[] = [];
  if (link.status === 'slow') found.push({ code: 'game-slow', reason, remedy, since });
  if (!status.isReady)
    found.push({
      code: 'not-ready',
      reason: 'The game lets nobody join now, for example while a day ends',
      remedy: passes,
    });
  // Whom it lets in, and by which ports, it does not tell.
  if (view.state.selfHosted !== undefined) return found;
  const { codes } = view.invites;
  if (sections.networks?.directIp.listening !== true && codes.network === undefined)
    found.push(noWayIn(view));
  if (view.lists !== undefined) found.push(withTimestamp(view.lists));
  // Where ownership is not enforced, nobody is refused for what is not known of it.
  if (view.owners.isEnforced) found.push(...view.owners.problems.map(withTimestamp));
  return found;
}

function noChat({ chatLost }: BridgeState): Obstacle[] {
  if (chatLost === undefined) return [];
  const { reason, remedy, since } = chatLost;
  return [
    { code: 'no-chat', reason: `The chat does not work: ${reason}`, remedy, since: timestampOf(since) },
  ];
}

function withTimestamp({
  since,
  ...problem
}: OwnershipProblem | ListsProblem | StateProblem | StoreProblem): Obstacle {
  return { ...problem, since: timestampOf(since) };
}

/** Whatever is done is done nevertheless, where the audit is not the only one who may. */
function notKept(problem: StoreProblem): Obstacle {
  const { reason } = problem;
  return { ...withTimestamp(problem), reason: `${reason}; only the log shows what is changed` };
}

/** Neither a code nor a port for direct IP: what keeps the code away is what there is to mend, or else the port. */
function noWayIn(view: FarmView): Obstacle {
  const lack = whatCodesLack(view);
  const { why } = view.state.sections.networks?.directIp ?? {};
  const noPort = why === undefined || why === '' ? '' : ` (${why})`;
  const reason = `There is no port for direct IP${noPort}, and no invite code: ${lack?.reason ?? 'it is not ready yet'}`;
  if (lack === undefined) return { code: 'no-way-in', reason, remedy: passes };
  const { step, remedy = passes, since, nextRetry } = lack;
  const isForSomebody = remedy !== passes && remedy !== triesAgain;
  return {
    code: 'no-way-in',
    reason,
    remedy: isForSomebody ? `${remedy}; or ${byAddress}` : remedy,
    since,
    step,
    ...(nextRetry === undefined ? {} : { nextRetry }),
  };
}

/** The step that keeps both codes away. The platform's own steps only keep away the S code. */
export function whatCodesLack({ state, invites }: Pick<FarmView, 'state' | 'invites'>) {
  // Between a sidecar of ours and the codes, that server's steps are its own.
  if (state.selfHosted !== undefined)
    return invites.steps.find(({ state: is }) => is !== 'ok' && is !== 'off');
  return rootOf(invites, ['network-sign-in', 'network-lobby']);
}
