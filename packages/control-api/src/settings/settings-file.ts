import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { readRegular } from '@steward/service-kit/files/read-regular';
import { type Likeness, type StagedFile, stageFile } from '@steward/service-kit/files/replace-file';
import { errorCode } from '@steward/service-kit/process/errors';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';

const newFileMode = 0o644;

/** The settings file could not be changed, in words for whoever asked. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
  readonly code: 'settings-unreadable' | 'settings-unwritable';
  /** Under which the game was told of the change nevertheless, where it was. */
  readonly operationId: string | undefined;

  constructor(code: SettingsFileError['code'], message: string, operationId?: string) {
    super(message);
    this.code = code;
    this.operationId = operationId;
  }
}

/** A file that is only ever replaced as a whole. What it held before is kept beside it, as `<name>.previous`. */
export class SettingsFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** What the file holds; undefined when there is none. Refused when there is one that cannot be read. */
  async read(): Promise<Parsed<string | undefined>> {
    try {
      const bytes = await readRegular(this.path, { followsLinks: true });
      return accepted(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return accepted(undefined);
      return refused(code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : `${code ?? error}`);
    }
  }

  async replace(content: string): Promise<void> {
    const staged = await this.stage(content);
    await staged.publish();
  }

  /** Writes the new content beside the file, with whatever a disk may have against it; `publish` puts it in its place. */
  async stage(content: string): Promise<StagedFile> {
    await makeDirectory(dirname(this.path));
    // A link stays a link: what it leads to is replaced.
    const target = await realpath(this.path).catch(() => this.path);
    const like = await stat(target).catch(() => undefined);
    const next = await stageFile(target, content, { mode: newFileMode, like });
    const previous =
      like === undefined ? undefined : await orDiscard(next, () => stagePrevious(target, like));
    return {
      async publish() {
        await orDiscard(next, async () => previous?.publish());
        await next.publish();
      },
      async discard() {
        await previous?.discard();
        await next.discard();
      },
    };
  }
}

/** Does something while new content waits for its place; where it fails, nothing waits any more. */
export async function orDiscard<T>(staged: StagedFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Not copied with its mode, which some disks refuse to set even to what it is. */
async function stagePrevious(target: string, like: Likeness): Promise<StagedFile> {
  return stageFile(`${target}.previous`, await readFile(target), { like });
}
