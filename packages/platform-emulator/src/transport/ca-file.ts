import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CaFile {
  readonly path: string;
  remove(): Promise<void>;
}

/** The certificate to trust, in a file of its own for NODE_EXTRA_CA_CERTS; it goes with the emulator. */
export async function passingCaFile(caPem: string): Promise<CaFile> {
  const directory = await mkdtemp(join(tmpdir(), 'platform-emulator-'));
  const path = join(directory, 'ca.pem');
  await writeFile(path, caPem);
  return { path, remove: () => rm(directory, { recursive: true, force: true }) };
}
