import { constants } from 'node:fs';
import { copyFile, mkdir, readFile, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import { errorCode } from '@steward/shared/error-code';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';

const newFileMode = 0o644;

/** A file that is only ever replaced as a whole. What it held before is kept beside it, as `<name>.previous`. */
export class SettingsFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** What the file holds; undefined when there is none. Refused when there is one that cannot be read. */
  async read(): Promise<Parsed<string | undefined>> {
    try {
      const bytes = await readFile(this.path);
      return accepted(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return accepted(undefined);
      return refused(code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : `${code ?? error}`);
    }
  }

  async replace(content: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    // A link stays a link: what it leads to is replaced.
    const target = await realpath(this.path).catch(() => this.path);
    const existing = await stat(target).catch(() => undefined);
    if (existing !== undefined) await keepPrevious(target);
    await replaceFile(target, content, { mode: existing?.mode ?? newFileMode });
  }
}

async function keepPrevious(target: string): Promise<void> {
  const temporary = `${target}.previous.new`;
  await copyFile(target, temporary, constants.COPYFILE_FICLONE);
  await rename(temporary, `${target}.previous`);
}
