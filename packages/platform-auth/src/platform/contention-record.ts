import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JsonFormat } from '@steward/service-kit/files/json-format';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import { timestamp } from '@steward/shared/wire-values';
import { z } from 'zod';

const currentVersion = 1;

const content = z.object({
  version: z.literal(currentVersion),
  /** The platform's id of the one that is used twice. */
  account: z.string(),
  reason: z.string(),
  since: timestamp,
  /** When something was taken last. */
  at: timestamp,
});

export type KeptContention = Omit<z.infer<typeof content>, 'version'>;

export const contentionFormat = new JsonFormat<KeptContention>(
  currentVersion,
  content.transform(({ version: _version, ...kept }) => kept),
);

/**
 * What was known of another program on the account, for the service's next run: the other one takes its turns ever less often, so that it
 * would be noticed late, or never. Where nothing can be written it is.
 */
export class ContentionRecord {
  readonly #directory: string;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(): Promise<KeptContention | undefined> {
    const read = await this.#read();
    return read?.kind === 'content' ? read.content : undefined;
  }

  /** Undefined where it is over. */
  write(kept: KeptContention | undefined): void {
    this.#writing = this.#writing.then(() => this.#replace(kept)).catch(() => {});
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #replace(kept: KeptContention | undefined): Promise<void> {
    // What a newer version has written is not for this one to replace.
    if ((await this.#read())?.kind === 'newer') return;
    if (kept === undefined) return await rm(this.#path, { force: true });
    const text = `${JSON.stringify({ version: currentVersion, ...kept }, null, 2)}\n`;
    const temporary = join(this.#directory, `.session-${randomBytes(8).toString('hex')}.tmp`);
    await replaceFile(this.#path, text, { temporary });
  }

  async #read() {
    const text = await readFile(this.#path, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : contentionFormat.read(text);
  }

  get #path(): string {
    return join(this.#directory, 'contention.json');
  }
}
