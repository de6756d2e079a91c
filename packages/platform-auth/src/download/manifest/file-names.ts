import { decrypt } from '../decode/decrypt.ts';
import { MalformedManifest } from './manifest-sections.ts';

/** Far above every path that a file system takes; the plan refuses those, by name. */
const longestNameBytes = 16_384;

const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads names as the manifest has them: in the clear, or in base64 of what the depot's key opens. */
export function readName(raw: Buffer, key: Uint8Array | undefined): string {
  if (raw.length > longestNameBytes) throw new MalformedManifest('has an endless file name');
  try {
    const clear = key === undefined ? raw : decrypt(Buffer.from(raw.toString('latin1'), 'base64'), key);
    // Encrypted names end at a zero byte. One in the middle stays, for the plan to refuse.
    const end = clear[clear.length - 1] === 0 ? clear.length - 1 : clear.length;
    return text.decode(clear.subarray(0, end)).replaceAll('\\', '/');
  } catch {
    throw new MalformedManifest('has a file name that cannot be read');
  }
}
