import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Certificates, mintCertificates } from './certificates.ts';

/** A certificate that ends sooner is minted anew: a demonstration should not end in the middle. */
const leftMs = 7 * 86_400_000;

const stored = z.object({ caPem: z.string(), certPem: z.string(), keyPem: z.string() });

/** The certificates of an earlier start, so that a client that trusts them still does; minted and kept when there are none. */
export function keptCertificates(directory: string, hostNames: readonly string[]): Certificates {
  const path = join(directory, 'certificates.json');
  const earlier = read(path);
  if (earlier !== undefined && endsAt(earlier) - Date.now() > leftMs) return earlier;
  const minted = mintCertificates(hostNames);
  mkdirSync(directory, { recursive: true });
  // With the server's key, but without the authority's, which is forgotten.
  writeFileSync(path, JSON.stringify(minted), { mode: 0o600 });
  return minted;
}

function read(path: string): Certificates | undefined {
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // None yet, or one that a kill cut short.
    return undefined;
  }
}

function endsAt({ certPem }: Certificates): number {
  return Date.parse(new X509Certificate(certPem).validTo);
}
