import { type JsonFormat, type Newer, newerRemedy, type Read } from '@steward/service-kit/files/json-format';
import { readRegular, StrangeFile } from '@steward/service-kit/files/read-regular';
import { errorCode } from '@steward/service-kit/process/errors';
import { DownloadProblem } from '../problems/problem.ts';

/** Throws where there is a file and the disk does not give it. A game may write there, too: nothing else than a file is waited for. */
export async function readKept<Content>(
  format: JsonFormat<Content>,
  path: string,
): Promise<Read<Content> | { readonly kind: 'absent' }> {
  try {
    return format.read((await readRegular(path)).toString());
  } catch (error) {
    if (error instanceof StrangeFile)
      throw new DownloadProblem(
        'disk',
        `${path} cannot be read: ${error.code}`,
        'Move it away, then run the download again: it continues where it stopped',
      );
    if (errorCode(error) === 'ENOENT') return { kind: 'absent' };
    // By the time that a file is read its name is forgotten.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

/** For a file without which everything can be found out again. */
export async function ofThisVersion<Content>(
  format: JsonFormat<Content>,
  path: string,
): Promise<Content | undefined> {
  const read = await readKept(format, path).catch(() => undefined);
  return read?.kind === 'content' ? read.content : undefined;
}

export function newerFile(path: string, { reason }: Newer): DownloadProblem {
  return new DownloadProblem('disk', `${path} ${reason}. It is left unchanged`, newerRemedy);
}
