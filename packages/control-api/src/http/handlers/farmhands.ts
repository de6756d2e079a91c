import type { AnswerOf } from '@steward/shared/api/answers';
import { type OwnershipFacts, ownershipFacts } from '@steward/shared/api/answers/farmhands';
import type { farmhandEndpoints } from '@steward/shared/api/endpoints/farmhands';
import type { PlayerTarget } from '@steward/shared/bridge/commands';
import type { FarmhandSlot } from '@steward/shared/bridge/state';
import { withTwin } from '@steward/shared/exact-id';
import { Problem } from '@steward/shared/problems/problem';
import type { GameBridge } from '../../game/game-bridge.ts';
import { gameUnavailable } from '../../game/game-unavailable.ts';
import { farmhandMeant } from '../../game/operations/farmhand-meant.ts';
import type { Applied } from '../../game/operations/operation.ts';
import { type BridgeState, isConnected, isCurrent } from '../../game/state/bridge-state.ts';
import { type Caller, insufficient, may } from '../../keys/caller.ts';
import { ambiguous, refuseWhereTheirs, unsupported } from '../command-answers/command-problems.ts';
import { appliedBy, gameCommand } from '../command-answers/game-command.ts';
import { subjectOf, targetOf } from '../command-answers/subject.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function farmhandHandlers({
  bridge,
  reads,
  ownership,
  moderation,
  backups,
}: HandlerParts): Handlers<keyof typeof farmhandEndpoints> {
  /** Deletions of which no operation tells yet, by their key: their backup is made first. */
  const begun = new Map<string, Promise<unknown>>();
  const run: GameBridge['run'] = async (command, options) => {
    const key = options?.idempotencyKey;
    if (key === undefined) return backUpAndRun(command, options);
    // Then there is the operation, or the key is free: it was not done.
    while (begun.has(key)) await begun.get(key)?.catch(() => {});
    const running = backUpAndRun(command, options).finally(() => begun.delete(key));
    begun.set(key, running);
    return running;
  };
  /** What its key was sent with before is told again, and needs no further backup. */
  const backUpAndRun: GameBridge['run'] = async (command, options) => {
    const asked = { name: command.name, request: command, idempotencyKey: options?.idempotencyKey };
    const isNew = bridge.operations.recall(asked) === undefined;
    if (isNew && backups.areMadeBeforeDelete && command.name === 'deleteFarmhand') {
      farmhandToDelete(bridge.state, command.params.target);
      await backups.alone('a backup is being made', () => backups.make({ why: 'before-delete' }));
    }
    return bridge.run(command, options);
  };
  const game = {
    run,
    get state() {
      return bridge.state;
    },
  };
  const deletion = gameCommand(game, 'deleteFarmhand', {
    params: (query) => ({ target: targetOf(query) }),
    more: ({ query, outcome }) => ({ dryRun: false, ...subjectOf(outcome, query) }),
    says: ({ playerName, playerIdStr }) => `${playerName || playerIdStr} is deleted`,
  });
  return {
    listFarmhands: reads.listFarmhands,
    deleteFarmhand: (asked, reply) =>
      asked.query.dryRun === true
        ? wouldDelete(farmhandToDelete(bridge.state, targetOf(asked.query)))
        : deletion(asked, reply),
    async rebindFarmhand({ query, idempotencyKey, caller }) {
      refuseWhereTheirs(bridge.state, 'rebindFarmhand');
      const { identity } = query;
      const applied = appliedBy(
        await ownership.rebind(targetOf(query), identity, idempotencyKey, mayGiveAway(caller)),
      );
      return ownerChanged(applied, (name, { door }) => `${name} now belongs to this ${door} id`);
    },
    async releaseFarmhand({ query, idempotencyKey, caller }) {
      refuseWhereTheirs(bridge.state, 'releaseFarmhand');
      const applied = appliedBy(
        await ownership.release(targetOf(query), idempotencyKey, mayGiveAway(caller)),
      );
      return ownerChanged(applied, (name, { released }, id) => {
        const ban = released ? moderation.banOfFarmhand(id) : undefined;
        const kept = ban && `, but the ban ${ban.id} keeps it from everyone: rebind it, or lift the ban`;
        return `${name} is free for the next player${kept ?? ''}`;
      });
    },
  };
}

/** The game knows its admins by their farmhands: whoever gives one of these away makes somebody else an admin. */
function mayGiveAway(caller: Caller) {
  return ({ id, isAdmin }: FarmhandSlot): void => {
    if (isAdmin && !may(caller, 'admin'))
      throw insufficient(`Giving away the farmhand ${id}, an admin in the game,`, caller, 'admin');
  };
}

/** Which farmhand a deletion would delete, by the last pushed state; a problem where it would fail. */
function farmhandToDelete(state: BridgeState, target: PlayerTarget): FarmhandSlot {
  const { link, game, sections } = state;
  if (!isCurrent(state) || sections.farmhands === undefined) {
    const why = isConnected(link.status) ? 'the game has not sent its complete state yet' : link.reason;
    throw gameUnavailable(`The farmhands are not known: ${why}`);
  }
  if (!game?.capabilities.includes('deleteFarmhand')) throw unsupported('deleteFarmhand');
  const meant = farmhandMeant(sections.farmhands, target);
  if ('not' in meant) {
    const { message, matches } = meant.not.outcome;
    throw matches === undefined ? new Problem('farmhand-not-found', message) : ambiguous(message, matches);
  }
  const { slot } = meant;
  if (slot.isOnline)
    throw new Problem('farmhand-online', `${slot.name || slot.id} is online: try again when they have left`);
  return slot;
}

function wouldDelete({ id, name }: FarmhandSlot): AnswerOf<'deleteFarmhand'> {
  return {
    success: true,
    message: `${name || id} would be deleted`,
    dryRun: true,
    ...withTwin('playerId', id),
    playerName: name,
    before: { exists: true },
    after: { exists: false },
  };
}

function ownerChanged(
  { operationId, outcome }: Applied,
  says: (name: string, after: OwnershipFacts, id: string) => string,
): AnswerOf<'rebindFarmhand'> {
  if (outcome.subject === undefined) throw new Error('a farmhand changed its owner, and nobody says which');
  const { id, name } = outcome.subject;
  const after = ownershipFacts.parse(outcome.after);
  return {
    success: true,
    message: says(name || id, after, id),
    operationId,
    ...withTwin('playerId', id),
    playerName: name,
    before: ownershipFacts.parse(outcome.before),
    after,
  };
}
