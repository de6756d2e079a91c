import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import type { PlayerTarget } from '@steward/shared/bridge/commands';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { FarmhandSlot } from '@steward/shared/bridge/state';
import { farmhandMeant, refused } from '../game/operations/farmhand-meant.ts';
import { asWritten, type CommandResult, type Ending, type Operation } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import { longestWriteMs } from '../game/operations/own-operations.ts';
import { decided, journaled } from './map-changes.ts';
import { factsOf, operatorRecordOf } from './ownership-map.ts';
import type { OwnershipRegister } from './ownership-register.ts';
import type { LoadedFarm } from './reported-farm.ts';
import type { StampClearing } from './stamp-clearing.ts';

type OwnershipCommand =
  | { readonly name: 'rebindFarmhand'; readonly params: { target: PlayerTarget; identity: string } }
  | { readonly name: 'releaseFarmhand'; readonly params: { target: PlayerTarget } };

/** Throws the Problem where whoever asks may not decide about this farmhand. */
export type MayDecide = (slot: FarmhandSlot) => void;

interface Parts {
  readonly register: OwnershipRegister;
  readonly farm: () => LoadedFarm | undefined;
  readonly log: Log;
}

/** What an operator decides about owners. The map takes each decision and the operation that it is in one write. */
export class OperatorCommands {
  readonly #parts: Parts;
  readonly #stamps: StampClearing;
  readonly #operations: Pick<Operations, 'carryOut'>;

  constructor(parts: Parts, stamps: StampClearing, operations: Pick<Operations, 'carryOut'>) {
    this.#parts = parts;
    this.#stamps = stamps;
    this.#operations = operations;
  }

  async run(
    command: OwnershipCommand,
    idempotencyKey: string | undefined,
    mayDecide: MayDecide,
  ): Promise<CommandResult> {
    const { register, farm: loaded } = this.#parts;
    const farm = loaded();
    // A crash may have left an operation in the map alone: a retry of it is known once that is read.
    if (farm !== undefined && register.farmId !== farm.farmId)
      await register.exclusively(() => register.open(farm));
    return this.#operations.carryOut(
      { name: command.name, request: command, idempotencyKey, farmId: farm?.farmId },
      (operation) => register.exclusively(() => this.#carryOut(operation, command, mayDecide)),
      { withinMs: longestWriteMs },
    );
  }

  async #carryOut(operation: Operation, command: OwnershipCommand, mayDecide: MayDecide): Promise<Ending> {
    const { register, farm: loaded, log } = this.#parts;
    const farm = loaded();
    if (farm === undefined)
      return refused('not-ready', 'No farm is loaded: nothing was changed; try again later');
    // The same name may be somebody else there.
    if (farm.farmId !== operation.farmId)
      return refused('not-ready', 'Another farm was loaded meanwhile: nothing was changed; try again');
    const opened = await register.open(farm);
    if (!opened.ok) return refused('failed', opened.reason);
    const before = opened.value;
    // The map remembers some longer than the list: what was decided since then stands.
    const done = before.journal.find((entry) => entry.command === operation.id);
    if (done !== undefined) return { state: 'applied', outcome: done.outcome };
    const meant = farmhandMeant(farm.slots, command.params.target);
    if ('not' in meant) return meant.not;
    const { slot } = meant;
    mayDecide(slot);
    if (command.name === 'releaseFarmhand' && isBeingMade(slot, farm))
      return refused(
        'online',
        'A player who is online is creating their farmhand in this slot: try again when they have left',
      );
    const decision =
      command.name === 'releaseFarmhand' ? 'release' : operatorRecordOf(command.params.identity);
    const after = decided(before, slot, decision);
    const outcome: AppliedOutcome = {
      outcome: 'applied',
      subject: { id: slot.id, name: slot.name },
      before: factsOf(before.farmhands[slot.id]),
      after: factsOf(after.farmhands[slot.id]),
    };
    try {
      await register.commit(journaled(after, asWritten(operation, outcome)));
    } catch (error) {
      const why = `the ownership map in STATE_DIR cannot be written (${errorCode(error) ?? 'unknown error'})`;
      return { state: 'void', why, notDurable: true };
    }
    const facts = { farmhandId: slot.id, before: outcome.before, after: outcome.after };
    log.info({ operation: operation.id, ...facts }, command.name);
    if (slot.stamp !== undefined) this.#stamps.clear(slot.id);
    return { state: 'applied', outcome };
  }
}

/** Without its record, what its player makes of it would belong to everybody who comes by address. */
function isBeingMade({ id, isCustomized, isOnline }: FarmhandSlot, { players }: LoadedFarm): boolean {
  return !isCustomized && (isOnline || players.some((player) => player.id === id));
}
