import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { ownershipFacts } from '@steward/shared/api/answers/farmhands';
import type { PlayerTarget } from '@steward/shared/bridge/commands';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult } from '../game/operations/operation.ts';
import type { GameQuestions } from '../game/questions/game-questions.ts';
import type { Objections } from '../game/questions/objections.ts';
import { Housekeeping } from './housekeeping.ts';
import { AwaitedArrivals, JoinAttempts, JoinCounts, RefusalNews } from './join-attempts.ts';
import { JoinGate, type JoinGateParts } from './join-gate.ts';
import { changesBetween, isDoubtful } from './map-changes.ts';
import { type MayDecide, OperatorCommands } from './operator-commands.ts';
import { fileName, OwnershipFile, type OwnershipProblem } from './ownership-file.ts';
import type { OwnershipMap } from './ownership-map.ts';
import { OwnershipRegister } from './ownership-register.ts';
import { ReportedFarm } from './reported-farm.ts';
import { StampClearing } from './stamp-clearing.ts';

export interface ComposeOwnership {
  readonly file: OwnershipFile;
  readonly clock: Clock;
  readonly log: Log;
  /** What keeps people out beside owners, in the order in which they are asked. */
  readonly objections?: readonly Objections[];
  readonly isEnforced: () => boolean;
  readonly hasKey: boolean;
}

/** What can be read of ownership: a new object whenever anything in it has changed. */
export interface OwnershipView {
  readonly isEnforced: boolean;
  /** Whose map it is; undefined while there is none. */
  readonly farmId: string | undefined;
  readonly map: OwnershipMap | undefined;
  readonly problems: readonly OwnershipProblem[];
}

/** Whose each farmhand is: who is let in with it, and what an operator decides about it. */
export class Ownership {
  readonly questions: Pick<GameQuestions, 'mayJoin' | 'visibleSlots'>;
  readonly counts = new JoinCounts();
  readonly #parts: JoinGateParts;
  readonly #reportedFarm = new ReportedFarm();
  #bridge: GameBridge | undefined;
  #operator: OperatorCommands | undefined;
  #housekeeping: Housekeeping | undefined;
  #view: OwnershipView;
  #revision = 0;

  constructor({ file, clock, log, isEnforced, hasKey, objections = [] }: ComposeOwnership) {
    this.#parts = {
      clock,
      log,
      objections,
      isEnforced,
      hasKey,
      counts: this.counts,
      tell: (event) => this.#bridge?.events.append(event),
      refusals: new RefusalNews(clock),
      register: new OwnershipRegister(file, log, clock, {
        opened: (farmId, { journal }) => this.#bridge?.operations.restore(farmId, journal, isOwnershipChange),
        committed: (farm, before, after) => {
          for (const event of changesBetween(farm, before, after)) this.#bridge?.events.append(event);
        },
      }),
      awaited: new AwaitedArrivals(clock),
      attempts: new JoinAttempts(clock),
      farm: () => this.#reportedFarm.farm,
    };
    this.#view = { isEnforced: isEnforced(), farmId: undefined, map: undefined, problems: [] };
    const gate = new JoinGate(this.#parts);
    this.questions = {
      mayJoin: (question) => gate.mayJoin(question),
      visibleSlots: (question) => gate.visibleSlots(question),
    };
  }

  /** The game that asks, and tells of itself, is the one at the other end of this bridge. */
  attach(bridge: GameBridge): void {
    const stamps = new StampClearing(this.#parts, bridge);
    this.#bridge = bridge;
    this.#operator = new OperatorCommands(this.#parts, stamps, bridge.operations);
    const housekeeping = new Housekeeping(this.#parts, stamps);
    this.#housekeeping = housekeeping;
    bridge.follow((state) => {
      this.#reportedFarm.saw(state);
      housekeeping.stateChanged(state);
    });
    bridge.events.follow(({ event }) => housekeeping.happened(event));
  }

  rebind(
    target: PlayerTarget,
    identity: string,
    idempotencyKey?: string,
    mayDecide: MayDecide = () => {},
  ): Promise<CommandResult> {
    const params = { target, identity };
    return this.#attached.run({ name: 'rebindFarmhand', params }, idempotencyKey, mayDecide);
  }

  release(
    target: PlayerTarget,
    idempotencyKey?: string,
    mayDecide: MayDecide = () => {},
  ): Promise<CommandResult> {
    return this.#attached.run({ name: 'releaseFarmhand', params: { target } }, idempotencyKey, mayDecide);
  }

  /** While no game is there: the maps of all farms are taken for what somebody else puts in their place. */
  async whileReplaced(replace: () => Promise<void>): Promise<void> {
    await this.#housekeeping?.done;
    await this.#parts.register.whileReplaced(replace);
    this.#housekeeping?.wentBack();
  }

  /** Why this version could not use the maps of these farms below another folder; undefined where it can. */
  async problemIn(folder: string, farms: readonly string[]): Promise<string | undefined> {
    for (const farm of farms) {
      const found = await stat(join(folder, farm)).catch(() => undefined);
      // What a desktop leaves beside the farms, such as .DS_Store, is none.
      if (found?.isFile()) continue;
      const content = await new OwnershipFile(folder).read(farm);
      if (content.kind === 'closed') return `${fileName} of ${farm} ${content.reason}`;
    }
    return undefined;
  }

  /** To be called once the game is gone: resolves when what it told last is on the disk. */
  async close(): Promise<void> {
    await this.#housekeeping?.done;
    await this.#parts.register.close();
  }

  get view(): OwnershipView {
    const { register, isEnforced } = this.#parts;
    const enforced = isEnforced();
    if (this.#revision !== register.revision || this.#view.isEnforced !== enforced) {
      this.#revision = register.revision;
      const { farmId, map, problems } = register;
      this.#view = { isEnforced: enforced, farmId, map, problems };
    }
    return this.#view;
  }

  /** Whose a farmhand of the loaded farm is, in digits; undefined where it is nobody's, or nobody can tell. */
  ownerOf = (farmhandId: string): string | undefined => {
    const record = this.#parts.register.map?.farmhands[farmhandId];
    return record === undefined || record.owner === 'released' ? undefined : record.id;
  };

  /** Whether a farmhand without an owner is known to have none. */
  knowsOwner = (farmhandId: string): boolean => {
    const { map } = this.#parts.register;
    return map !== undefined && !isDoubtful(map, farmhandId);
  };

  get #attached(): OperatorCommands {
    if (this.#operator === undefined) throw new Error('no bridge was attached');
    return this.#operator;
  }
}

function isOwnershipChange({ before, after }: AppliedOutcome): boolean {
  return ownershipFacts.safeParse(before).success && ownershipFacts.safeParse(after).success;
}
