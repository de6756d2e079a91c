import { setTimeout as pause } from 'node:timers/promises';
import { count } from '@steward/testing/scale';
import { z } from 'zod';
import { key } from '../chaos/programs.ts';
import type { AuditBook } from '../house/audit-book.ts';

const everyMs = count({ small: 1_000, long: 60_000 });
const patienceMs = 60_000;
/** Of its own: what others write does not count for it. */
const address = '10.0.1.1';
/** The service stops, or the farm saved each time that it was copied: at this pace a night comes every few seconds. */
const notNow = [409, 500, 503];

const begun = z.object({ operationId: z.string() });

const listed = z.object({
  backups: z.array(z.object({ id: z.string() })),
  unreadable: z.array(z.object({ file: z.string(), reason: z.string() })),
});

/** Somebody who backs the farm up each minute, whatever happens meanwhile. */
export class BackupMaker {
  readonly violations: string[] = [];
  made = 0;
  readonly #origin: string;
  readonly #book: AuditBook;
  #stopped = false;
  readonly #making: Promise<void>;

  constructor(port: number, book: AuditBook) {
    this.#book = book;
    this.#origin = `http://127.0.0.1:${port}`;
    this.#making = this.#make();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#making;
  }

  async #make(): Promise<void> {
    while (!this.#stopped) {
      await this.#ask('POST', (status, text) => {
        if (status === 200) {
          this.made += 1;
          this.#book.did('owner', 'a backup', begun.parse(JSON.parse(text)).operationId);
        } else if (status !== 202 && !notNow.includes(status))
          this.violations.push(`a backup is answered ${status}: ${text.slice(0, 200)}`);
      });
      await this.#ask('GET', (status, text) => {
        if (status !== 200) return;
        for (const { file, reason } of listed.parse(JSON.parse(text)).unreadable)
          this.violations.push(`the backup ${file} cannot be read: ${reason}`);
      });
      await pause(everyMs);
    }
  }

  /** Over a network that breaks: no answer says nothing. */
  async #ask(method: 'GET' | 'POST', hear: (status: number, text: string) => void): Promise<void> {
    try {
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await fetch(`${this.#origin}/backups`, { method, headers, signal });
      hear(answer.status, await answer.text());
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError)
        this.violations.push(`the list of backups cannot be read: ${error.message}`);
    }
  }
}
