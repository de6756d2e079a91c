import type { Platform } from '@steward/platform-emulator/running-platform';
import { keys, type TerminalOptions, TerminalProgram } from './terminal-program.ts';

export const entry = 'packages/platform-auth/src/main.ts';

/** What every command needs to find an emulated platform and a place for sessions. */
export function surroundings(world: {
  readonly platform: Pick<Platform, 'proxyUrl' | 'caFile'>;
  readonly directory: string;
  readonly gameDirectory: string;
}): NodeJS.ProcessEnv {
  return {
    GAME_DIR: world.gameDirectory,
    SESSION_DIR: world.directory,
    PLATFORM_PROXY: world.platform.proxyUrl,
    NODE_EXTRA_CA_CERTS: world.platform.caFile,
  };
}

/** A command with somebody in front of it. */
export class AtTerminal extends TerminalProgram {
  readonly #isPlain: boolean;

  constructor(command: string, env: NodeJS.ProcessEnv, options: TerminalOptions = {}) {
    super(entry, [command], env, options);
    this.#isPlain = options.term === 'dumb';
  }

  /** Waits for the question, then takes its choice number `number`. */
  async choose(question: RegExp, number: number): Promise<void> {
    await this.shows(question);
    if (this.#isPlain) this.type(`${number}`, keys.enter);
    else this.type(...Array.from({ length: number - 1 }, () => keys.down), keys.enter);
  }

  async answer(question: RegExp, text: string): Promise<void> {
    await this.shows(question);
    this.type(text, keys.enter);
  }

  /** Through the first questions, as far as a right password brings somebody. */
  async enterPassword(name: string, password: string): Promise<void> {
    await this.choose(/How do you want to log in/, 1);
    await this.answer(/Account name/, name);
    await this.answer(new RegExp(`Password of ${name}`), password);
  }

  async chooseQr(): Promise<void> {
    await this.choose(/How do you want to log in/, 2);
    await this.shows(/Waiting for the phone/);
  }

  /** Where keys are taken as they are typed: while somebody is waited for, or asked by a terminal that can move its cursor. */
  async cancel(): Promise<void> {
    this.type(keys.interrupt);
    await this.exited;
  }
}
