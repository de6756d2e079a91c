import type { Clock } from '@steward/service-kit/clock';
import { largestPictureBytes } from '@steward/shared/bridge/farms';
import { Problem } from '@steward/shared/problems/problem';
import type { GameBridge } from './game-bridge.ts';
import { RecentAnswer } from './recent-answer.ts';

/** Whoever asks within this time gets the picture that there is: a game draws one, and does nothing else meanwhile. */
const pictureStandsMs = 3_000;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What the game shows, one picture at a time for all who ask. */
export class Screenshots {
  readonly #bridge: Pick<GameBridge, 'ask'>;
  readonly #picture: RecentAnswer<Buffer>;

  constructor(bridge: Pick<GameBridge, 'ask'>, clock: Pick<Clock, 'now'>) {
    this.#bridge = bridge;
    this.#picture = new RecentAnswer(() => this.#ask(), pictureStandsMs, clock);
  }

  /** Rejects with the Problem that says why there is none. */
  take(): Promise<Buffer> {
    return this.#picture.get();
  }

  async #ask(): Promise<Buffer> {
    const { png } = await this.#bridge.ask('screenshot');
    const bytes = Buffer.from(png, 'base64');
    if (bytes.length <= largestPictureBytes && bytes.subarray(0, signature.length).equals(signature))
      return bytes;
    throw new Problem('command-failed', 'The game did not return a valid PNG');
  }
}
