import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isSessionFileName, sessionFormat } from '@steward/platform-auth/tokens/session-file';

const everyMs = 50;

/** Whoever reads the session file at any moment finds a token in it, whole. */
export class SessionWatch implements AsyncDisposable {
  readonly violations: string[] = [];
  /** Distinct tokens, one after the other. */
  renewals = 0;
  looks = 0;
  readonly #directory: string;
  #token: string | undefined;
  #stopped = false;
  readonly #watching: Promise<void>;

  constructor(directory: string) {
    this.#directory = directory;
    this.#watching = this.#watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      this.#look();
      await pause(everyMs);
    }
  }

  #look(): void {
    this.looks += 1;
    const names = readdirSync(this.#directory).filter(isSessionFileName);
    const [name] = names;
    if (name === undefined || names.length !== 1) {
      this.violations.push(`there are ${names.length} session files`);
      return;
    }
    const text = readFileSync(join(this.#directory, name), 'utf8');
    const session = sessionFormat.read(text);
    const token = session.kind === 'content' ? session.content.token.reveal() : undefined;
    if (token === undefined)
      this.violations.push(`the session file cannot be read: ${text.length} characters`);
    else if (token !== this.#token) {
      this.renewals += this.#token === undefined ? 0 : 1;
      this.#token = token;
    }
  }
}
