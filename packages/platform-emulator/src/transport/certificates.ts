import { KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

export interface Certificates {
  /** What a client must trust to reach the emulator; its key is forgotten once the server's certificate is signed. */
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

const { subtle } = webcrypto;

const dayMs = 86_400_000;
// From a day ago, for clients whose clock is behind, to longer than an emulator runs: a demo that restarts by itself stands for months.
const validFromDays = -1;
const validUntilDays = 3_650;

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate authority and one server certificate below it, made anew in each process: no key is ever stored. */
export async function mintCertificates(hostNames: readonly string[]): Promise<Certificates> {
  const {
    BasicConstraintsExtension,
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectAlternativeNameExtension,
    X509CertificateGenerator,
  } = await certificateLibrary();
  const ca = await subtle.generateKey(signingAlgorithm, false, ['sign', 'verify']);
  const server = await subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const common = {
    // A name of its own for each: a process that trusts several emulators finds the right one by name.
    issuer: [{ CN: [`Steward platform emulator ${randomBytes(6).toString('hex')}`] }],
    notBefore: new Date(now + validFromDays * dayMs),
    notAfter: new Date(now + validUntilDays * dayMs),
    signingAlgorithm,
    signingKey: ca.privateKey,
  };
  const authority = await X509CertificateGenerator.create({
    ...common,
    subject: common.issuer,
    publicKey: ca.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const leaf = await X509CertificateGenerator.create({
    ...common,
    subject: [{ CN: [hostNames[0] ?? 'localhost'] }],
    publicKey: server.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hostNames.map((value) => ({ type: 'dns', value }))),
    ],
  });
  const caPem = `${authority.toString('pem')}\n`;
  const keyPem = KeyObject.from(server.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { caPem, certPem: `${leaf.toString('pem')}\n${caPem}`, keyPem };
}

/** Loaded when it is wanted: a tenth of a second that a start with kept certificates does without. */
async function certificateLibrary() {
  // It finds its parts by metadata of classes, which no Node has of itself.
  await import('reflect-metadata/lite');
  return import('@peculiar/x509');
}

/** A certificate that ends sooner is minted anew: a demonstration should not end in the middle. */
const leftMs = 365 * dayMs;

const keptSchema = z.object({ caPem: z.string(), certPem: z.string(), keyPem: z.string() });

/** The certificates of an earlier start, so that a client that trusts them still does; minted and kept when there are none. */
export async function keptCertificates(
  directory: string,
  hostNames: readonly string[],
): Promise<Certificates> {
  const path = join(directory, 'certificates.json');
  const earlier = read(path);
  if (earlier !== undefined && endsAt(earlier) - Date.now() > leftMs) return earlier;
  const minted = await mintCertificates(hostNames);
  mkdirSync(directory, { recursive: true });
  // With the server's key, but without the authority's, which is forgotten.
  writeFileSync(path, JSON.stringify(minted), { mode: 0o600 });
  return minted;
}

function read(path: string): Certificates | undefined {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // None yet, or one that a kill cut short.
    return undefined;
  }
}

function endsAt({ certPem }: Certificates): number {
  return Date.parse(new X509Certificate(certPem).validTo);
}

export interface CaFile {
  readonly path: string;
  remove(): Promise<void>;
}

/** The certificate to trust, in a file of its own for NODE_EXTRA_CA_CERTS; it goes with the emulator. */
export async function temporaryCaFile(caPem: string): Promise<CaFile> {
  const directory = await mkdtemp(join(tmpdir(), 'platform-emulator-'));
  const path = join(directory, 'ca.pem');
  await writeFile(path, caPem);
  return { path, remove: () => rm(directory, { recursive: true, force: true }) };
}
