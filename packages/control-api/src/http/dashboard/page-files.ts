import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { OperatorError } from '@steward/service-kit/process/errors';

/** What of a page lies ready: itself, and as it was compressed when it was built. */
interface PageFile {
  readonly headers: OutgoingHttpHeaders;
  readonly plain: Buffer;
  readonly compressed: ReadonlyMap<string, Buffer>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** By the ends of the files that the build leaves beside each; the best first. */
const encodings = { br: '.br', gzip: '.gz' } as const;

/** The names of these have a digest of what they hold. */
const lasting = 'public, max-age=31536000, immutable';

const startPage = '/index.html';
/** In the start page stands a line for what only a server knows. */
const placeOfFacts = '<!-- facts -->';

/** What a page has to know before it asks for anything. */
export interface PageFacts {
  readonly farms: readonly string[];
  readonly instance: string;
  readonly version: string;
}

/** The built page, read when it is first asked for and kept in memory: a start does not pay for it. */
export class PageFiles {
  readonly #directory: string;
  readonly #facts: PageFacts;
  #files: ReadonlyMap<string, PageFile> | undefined;

  constructor(directory: string, facts: PageFacts) {
    this.#directory = directory;
    this.#facts = facts;
  }

  /** Undefined for what there is not; every view of the page has a path of its own, and none of them has a dot. */
  find(path: string): PageFile | undefined {
    this.#files ??= this.#read();
    const name = path.includes('.') ? path : startPage;
    return this.#files.get(name);
  }

  #read(): ReadonlyMap<string, PageFile> {
    const names = listed(this.#directory);
    const read = (name: string) => readFileSync(join(this.#directory, name));
    const ends: readonly string[] = Object.values(encodings);
    const files = names.filter((name) => !ends.includes(extname(name)));
    return new Map(
      files.map((name) => {
        const path = `/${name.replaceAll('\\', '/')}`;
        const isStart = path === startPage;
        const compressed = Object.entries(encodings)
          .filter(([, end]) => !isStart && names.includes(`${name}${end}`))
          .map(([encoding, end]) => [encoding, read(`${name}${end}`)] as const);
        const headers = {
          'content-type': types[extname(name)] ?? 'application/octet-stream',
          'cache-control': path.startsWith('/assets/') ? lasting : 'no-cache',
          vary: 'accept-encoding',
        };
        const plain = isStart ? this.#withFacts(read(name)) : read(name);
        return [path, { headers, plain, compressed: new Map(compressed) }];
      }),
    );
  }

  #withFacts(page: Buffer): Buffer {
    const facts = JSON.stringify(this.#facts)
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll('<', '&lt;');
    return Buffer.from(
      page.toString().replace(placeOfFacts, () => `<meta name="steward" content="${facts}">`),
    );
  }
}

/** What is sent of it to who asks so. */
export function answerOf(
  { headers, plain, compressed }: PageFile,
  { 'accept-encoding': accepted = '' }: IncomingHttpHeaders,
): { readonly headers: OutgoingHttpHeaders; readonly body: Buffer } {
  const taken = String(accepted)
    .split(',')
    .map((each) => each.split(';', 1)[0]?.trim().toLowerCase());
  for (const [encoding, body] of compressed)
    if (taken.includes(encoding))
      return { headers: { ...headers, 'content-encoding': encoding, 'content-length': body.length }, body };
  return { headers: { ...headers, 'content-length': plain.length }, body: plain };
}

function listed(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(directory.length)
          .replace(/^[\\/]/, ''),
      );
  } catch {
    throw new OperatorError(
      `DASHBOARD_PORT is set, but the page is missing: ${directory} cannot be read. \`npm start\` and the image build it`,
    );
  }
}
