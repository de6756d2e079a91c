import { createRequire } from 'node:module';

export interface ParsedManifest {
  files: {
    filename: string;
    size: string;
    flags: number;
    sha_content: string;
    linktarget: string | null;
    chunks: { sha: string; crc: number; offset: string; cb_original: number; cb_compressed: number }[];
  }[];
  filenames_encrypted: boolean;
  gid_manifest: string;
  depot_id: number;
  cb_disk_original: string;
  unique_chunks: number;
}

const load = createRequire(import.meta.resolve('steam-user'));

/** The pieces of steam-user that read depots, as the package itself uses them. */
export const contentManifest: {
  parse(bytes: Buffer): ParsedManifest;
  decryptFilenames(manifest: ParsedManifest, key: Buffer): void;
} = load('./components/content_manifest.js');

export const cdnCompression: { unzip(bytes: Buffer): Promise<Buffer> } = load(
  './components/cdn_compression.js',
);

export const steamCrypto: { symmetricDecrypt(bytes: Buffer, key: Buffer): Buffer } =
  load('@doctormckay/steam-crypto');

export async function readManifest(rawManifest: Buffer, key: Buffer): Promise<ParsedManifest> {
  const manifest = contentManifest.parse(await cdnCompression.unzip(rawManifest));
  contentManifest.decryptFilenames(manifest, key);
  return manifest;
}
