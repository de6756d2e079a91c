import { readFile } from 'node:fs/promises';
import { documentFile } from '../../entries.ts';
import { PreparedAnswer } from '../bodies/prepared-answer.ts';
import type { PageServer } from './page-server.ts';

/** What describes the API, read and loaded when it is first asked for. */
export class Documentation {
  #document: PreparedAnswer | undefined;
  #page: PageServer | undefined;

  /** As `npm run generate` wrote it. To make it here would take a fifth of a second, in which nobody else is answered, and 30 MB. */
  async document(): Promise<PreparedAnswer> {
    this.#document ??= new PreparedAnswer(await readFile(documentFile()));
    return this.#document;
  }

  async page(): Promise<PageServer> {
    const { pageServer } = await import('./page-server.ts');
    this.#page ??= await pageServer();
    return this.#page;
  }
}
