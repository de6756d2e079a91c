import type { Clock } from '@steward/service-kit/clock';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import { type StateParams, sectionNames } from '@steward/shared/bridge/state';
import type { Trouble } from '@steward/shared/problems/trouble';
import type { BridgeState, ChatLost, GameInfo, SelfHosted } from './bridge-state.ts';

/** Keeps the state that reads are answered from, and tells who follows it that there is a new one. */
export class StateKeeper {
  readonly #clock: Clock;
  readonly #listeners = new Set<(state: BridgeState) => void>();
  readonly #fresh = new Set<string>();
  /** The farm that the connected game last had loaded. */
  #farmId: string | undefined;
  #state: BridgeState;

  constructor(clock: Clock, status: LinkStatus, reason: string, selfHosted?: SelfHosted) {
    this.#clock = clock;
    this.#state = {
      link: { status, since: clock.date(), reason },
      sections: {},
      isWhole: false,
      version: 0,
      ...(selfHosted === undefined ? {} : { selfHosted }),
    };
  }

  get state(): BridgeState {
    return this.#state;
  }

  follow(listener: (state: BridgeState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  link(status: LinkStatus, trouble: Trouble): void {
    this.#put({ ...this.#state, link: { status, since: this.#clock.date(), ...trouble } });
  }

  /** No news of the farm, so that neither version nor age is another. */
  chatLost(chatLost: ChatLost | undefined): void {
    this.#put({ ...this.#state, chatLost });
  }

  connected(game: GameInfo, reason: string): void {
    this.#fresh.clear();
    this.#farmId = undefined;
    const link = { status: 'live', since: this.#clock.date(), reason } as const;
    this.#put({ ...this.#state, game, isWhole: false, link });
  }

  push(sections: StateParams, selfHosted?: SelfHosted): void {
    const isOfAnother = this.#isOfAnotherFarm(sections);
    if (isOfAnother) this.#fresh.clear();
    for (const name of Object.keys(sections)) this.#fresh.add(name);
    const pushedAt = this.#clock.date();
    this.#put({
      ...this.#state,
      ...(selfHosted === undefined ? {} : { selfHosted }),
      sections: isOfAnother ? sections : { ...this.#state.sections, ...sections },
      isWhole: sectionNames.every((name) => this.#fresh.has(name)),
      version: this.#state.version + 1,
      pushedAt,
      ...(sections.stats === undefined ? {} : { statsAt: pushedAt }),
    });
  }

  /** What was told of the farm before it is then of no use: its slots and players have ids of their own. */
  #isOfAnotherFarm({ farm }: StateParams): boolean {
    const before = this.#farmId;
    this.#farmId = farm?.farmId ?? before;
    return before !== undefined && before !== this.#farmId;
  }

  #put(state: BridgeState): void {
    this.#state = Object.freeze(state);
    for (const listener of [...this.#listeners]) listener(state);
  }
}
