import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  bitString,
  boolean,
  element,
  generalizedTime,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utf8String,
} from './der.ts';

export interface Certificates {
  /** What a client must trust to reach the emulator; its key is forgotten once the server's certificate is signed. */
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

const dayMs = 86_400_000;
// From a day ago, for clients whose clock is behind, to longer than an emulator runs.
const validFromDays = -1;
const validUntilDays = 30;

const oids = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
} as const;

/** A certificate authority and one server certificate below it, made anew at each start: no key is ever stored. */
export function mintCertificates(hostNames: readonly string[]): Certificates {
  // A name of its own for each: a process that trusts several emulators finds the right one by name.
  const caName = `Steward platform emulator ${randomBytes(6).toString('hex')}`;
  const ca = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const caPem = certificate(caName, caName, ca.publicKey, ca.privateKey, caExtensions());
  const leafPem = certificate(
    caName,
    hostNames[0] ?? 'localhost',
    server.publicKey,
    ca.privateKey,
    serverExtensions(hostNames),
  );
  const keyPem = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { caPem, certPem: leafPem + caPem, keyPem };
}

function certificate(
  issuer: string,
  subject: string,
  publicKey: KeyObject,
  signer: KeyObject,
  extensions: Buffer[],
): string {
  const now = Date.now();
  const algorithm = sequence(objectIdentifier(oids.ecdsaWithSha256));
  const body = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(randomBytes(8)),
    algorithm,
    name(issuer),
    sequence(
      generalizedTime(new Date(now + validFromDays * dayMs)),
      generalizedTime(new Date(now + validUntilDays * dayMs)),
    ),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...extensions)),
  );
  const der = sequence(body, algorithm, bitString(sign('sha256', body, signer)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function name(commonName: string): Buffer {
  return sequence(set(sequence(objectIdentifier(oids.commonName), utf8String(commonName))));
}

function caExtensions(): Buffer[] {
  const signsCertificatesAndLists = bitString(Buffer.from([0x06]), 1);
  return [
    extension(oids.basicConstraints, true, sequence(boolean(true))),
    extension(oids.keyUsage, true, signsCertificatesAndLists),
  ];
}

function serverExtensions(hostNames: readonly string[]): Buffer[] {
  const alternatives = hostNames.map((host) => element(0x82, Buffer.from(host)));
  return [
    extension(oids.basicConstraints, true, sequence()),
    extension(oids.extendedKeyUsage, false, sequence(objectIdentifier(oids.serverAuthentication))),
    extension(oids.subjectAltName, false, sequence(...alternatives)),
  ];
}

function extension(oid: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(oid), ...(critical ? [boolean(true)] : []), octetString(value));
}

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
