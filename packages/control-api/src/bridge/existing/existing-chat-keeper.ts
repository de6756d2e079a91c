import type { Clock } from '@steward/service-kit/clock';
import { Backoff, type BackoffSettings } from '../../backoff.ts';
import type { Log } from '../../log.ts';
import { ExistingChat, type ExistingChatParts } from './existing-chat.ts';

export interface ChatKeeperParts extends Omit<ExistingChatParts, 'ended'> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly backoff: BackoffSettings;
  readonly log: Log;
}

/** Keeps one line to the existing server's chat for as long as that server is there. */
export class ExistingChatKeeper {
  readonly #parts: ChatKeeperParts;
  readonly #backoff: Backoff;
  #chat: ExistingChat | undefined;
  #isWanted = false;

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
    this.#chat?.close();
  }

  #connect(): void {
    const { clock, log } = this.#parts;
    const startedAt = clock.now();
    this.#chat = new ExistingChat({
      ...this.#parts,
      ended: (why) => {
        this.#chat = undefined;
        if (!this.#isWanted) return;
        const ms = this.#backoff.pause(clock.now() - startedAt);
        log.warn({ retryMs: ms }, `the chat of the existing server is gone: ${why}`);
        clock.after(ms, () => {
          if (this.#isWanted && this.#chat === undefined) this.#connect();
        });
      },
    });
  }
}
