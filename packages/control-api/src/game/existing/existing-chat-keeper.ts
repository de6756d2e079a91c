import { Backoff, type BackoffSettings, type Clock, type Timer } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import type { ChatLost } from '../state/bridge-state.ts';
import { ExistingChat, type ExistingChatParts } from './existing-chat.ts';

export interface ChatKeeperParts extends Omit<ExistingChatParts, 'ready' | 'ended'> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly backoff: BackoffSettings;
  readonly log: Log;
  /** Called with what keeps lines from passing, and with nothing when they pass or are not wanted any more. */
  readonly lost: (lost: ChatLost | undefined) => void;
}

/** Keeps one line to the existing server's chat for as long as that server is there. */
export class ExistingChatKeeper {
  readonly #parts: ChatKeeperParts;
  readonly #backoff: Backoff;
  #chat: ExistingChat | undefined;
  #isWanted = false;
  #again: Timer | undefined;
  #lost: ChatLost | undefined;

  constructor(parts: ChatKeeperParts) {
    this.#parts = parts;
    this.#backoff = new Backoff(parts.backoff, parts.random);
  }

  /** The line, once it can be spoken on; undefined where there is none, or none that comes in time. */
  async ready(): Promise<ExistingChat | undefined> {
    const chat = this.#chat;
    if (chat === undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, limits } = this.#parts;
    const timer = clock.after(limits.chatReadyMs, resolve);
    await Promise.race([chat.decided, promise]);
    timer.cancel();
    return chat.isReady ? chat : undefined;
  }

  open(): void {
    this.#isWanted = true;
    if (this.#chat === undefined) this.#connect();
  }

  close(): void {
    this.#isWanted = false;
    this.#again?.cancel();
    this.#chat?.close();
    this.#say(undefined);
  }

  #connect(): void {
    const { clock } = this.#parts;
    const startedAt = clock.now();
    // One try at a time: another would try in turns of its own, for ever.
    this.#again?.cancel();
    this.#chat = new ExistingChat({
      ...this.#parts,
      ready: () => this.#say(undefined),
      ended: (ending) => {
        this.#chat = undefined;
        if (!this.#isWanted) return;
        const ms = this.#backoff.pause(clock.now() - startedAt);
        this.#ended(ending, ms);
        this.#again = clock.after(ms, () => {
          if (this.#isWanted && this.#chat === undefined) this.#connect();
        });
      },
    });
  }

  /** Each reason is told once, however often it is tried in vain. */
  #ended(ending: MendableTrouble, retryMs: number): void {
    const { clock, log } = this.#parts;
    if (this.#lost?.reason === ending.reason) return;
    log.warn({ retryMs, remedy: ending.remedy }, `the chat of the existing server is gone: ${ending.reason}`);
    this.#say({ ...ending, since: this.#lost?.since ?? clock.date() });
  }

  #say(lost: ChatLost | undefined): void {
    if (lost === this.#lost) return;
    this.#lost = lost;
    this.#parts.lost(lost);
  }
}
