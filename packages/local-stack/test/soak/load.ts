import { setTimeout as pause } from 'node:timers/promises';
import { count } from '@steward/testing/scale';
import type { Dice } from '../chaos/dice.ts';
import type { AuditBook } from '../house/audit-book.ts';
import type { Keys } from '../house/keys.ts';
import { BackupMaker } from './backup-maker.ts';
import { ChatBot } from './chat-bot.ts';
import { ChatLedger } from './chat-ledger.ts';
import { Reader } from './reader.ts';
import { Script } from './script.ts';

const bots = 6;
const scripts = 4;
const readers = 2;
const betweenWordsMs = count({ small: 240, long: 120 });
/** One in so many words is a goodbye. */
const leaveChance = 0.02;
const caughtUpMs = 15_000;
const lookAgainMs = 20;

export interface LoadParts {
  readonly port: number;
  readonly keys: Keys;
  readonly book: AuditBook;
}

/** Everybody who uses the API, over a network that breaks: bots in the chat, scripts that change things, dashboards. */
export class Load implements AsyncDisposable {
  readonly ledger = new ChatLedger();
  readonly bots: readonly ChatBot[];
  readonly scripts: readonly Script[];
  readonly readers: readonly Reader[];
  readonly backups: BackupMaker;
  readonly #dice: Dice;
  #stopped = false;
  readonly #talking: Promise<void>;

  constructor({ port, keys, book }: LoadParts, dice: Dice) {
    this.#dice = dice;
    this.bots = Array.from(
      { length: bots },
      (_, index) => new ChatBot(`bot${index}`, port, this.ledger, keys.bots),
    );
    const script = { port, key: keys.scripts, book };
    this.scripts = Array.from({ length: scripts }, (_, index) => new Script(index, script, dice));
    this.readers = Array.from({ length: readers }, () => new Reader(port, keys.pages));
    this.backups = new BackupMaker(port, book);
    this.#talking = this.#talk();
  }

  get violations(): readonly string[] {
    return [
      ...this.ledger.violations,
      ...this.scripts.flatMap(({ violations }) => violations),
      ...this.readers.flatMap(({ violations }) => violations),
      ...this.backups.violations,
    ];
  }

  check(): void {
    for (const { receipts } of this.bots) receipts.check();
  }

  /** Nothing is wrong: what is said on the farm now comes to every bot. `say` says it there. */
  async everyoneHears(text: string, say: () => Promise<void>): Promise<void> {
    await this.#within(
      () => this.bots.every(({ isPlaced }) => isPlaced),
      () => 'not every bot is connected',
    );
    const hearers = this.ledger.listenFor(text);
    await say();
    await this.#within(
      () => hearers.size === bots,
      () => `“${text}” came to ${hearers.size} of ${bots} bots`,
    );
    this.ledger.noMore(text);
  }

  /** Everybody has an answer to whatever they asked last. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#talking;
    await Promise.all([...this.scripts, ...this.readers, this.backups].map((each) => each.stop()));
    await Promise.all(this.bots.map((bot) => bot.stop()));
    this.ledger.compare();
  }

  /** Whatever is under way is left as it is. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    for (const script of this.scripts) script.abandon();
    await this.stop();
  }

  async #within(holds: () => boolean, what: () => string): Promise<void> {
    const deadline = performance.now() + caughtUpMs;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`${what()} after ${caughtUpMs} ms`);
      await pause(lookAgainMs);
    }
  }

  async #talk(): Promise<void> {
    for (let words = 1; !this.#stopped; words += 1) {
      const bot = this.#dice.pick(this.bots);
      if (this.#dice.next() < leaveChance) bot.leave();
      else bot.say(`this is word ${words}`);
      await pause(betweenWordsMs);
    }
  }
}
