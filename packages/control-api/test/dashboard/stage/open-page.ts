import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { statusOf } from '../../../src/http/bodies/status.ts';
import { Dashboard } from '../../../src/http/dashboard/dashboard.ts';
import { PageFiles } from '../../../src/http/dashboard/page-files.ts';
import type { InviteCodes } from '../../../src/invites/facts.ts';
import { type FarmSources, farmView } from '../../../src/status/farm-view.ts';
import { openApi, type StageOptions } from '../../api/stage/open-api.ts';

export const script = 'console.log("a page")';

export interface PageOptions extends StageOptions {
  readonly isPublic?: boolean;
  readonly showsCode?: boolean;
  readonly codes?: InviteCodes;
  readonly farms?: readonly string[];
  readonly instance?: string;
  /** How often slow clients are looked for, and how long one may take for its headers, its request, and to read. */
  readonly patience?: {
    readonly check: number;
    readonly headers: number;
    readonly request: number;
    readonly silence: number;
  };
}

/** The whole API, and a small page on a listener of its own. */
export async function openPage({
  isPublic = false,
  showsCode = false,
  codes = { platform: 'SABC', network: 'GABC' },
  farms = [],
  instance = '',
  patience,
  ...options
}: PageOptions = {}) {
  const api = await openApi({ key: 'k3y', ...options });
  using client = await api.listen();
  const apiPort = client.port;
  if (patience !== undefined)
    Object.assign(api.app.server, {
      connectionsCheckingInterval: patience.check,
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      timeout: patience.silence,
    });
  const directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'assets'));
  writeFileSync(join(directory.path, 'index.html'), '<!doctype html><!-- facts --><p>The page</p>');
  writeFileSync(join(directory.path, 'assets', 'main-abc123.js'), script);
  writeFileSync(join(directory.path, 'assets', 'main-abc123.js.br'), brotliCompressSync(script));
  const sources: FarmSources = {
    instance,
    bridge: api.bridge,
    invites: { status: { steps: [], codes, isWhole: true } as never },
    ownership: api.ownership,
    moderation: { problem: undefined },
    drains: { standing: undefined, remedy: undefined },
    newerFiles: { all: [] },
    disk: api.disk,
    store: { problem: undefined, keysLost: undefined },
    emptiness: { since: undefined },
  };
  const view = farmView(sources);
  const dashboard = new Dashboard({
    app: api.app,
    files: new PageFiles(directory.path, { farms, instance, version: '1.2.3' }),
    farms,
    card: isPublic ? { instance, showsCode } : undefined,
    status: () => statusOf(view()),
  });
  const port = await dashboard.listen('127.0.0.1', 0);
  return {
    api,
    port,
    directory: directory.path,
    origin: `http://127.0.0.1:${port}`,
    ask: (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init),
    /** By the API's own listener. */
    askApi: (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${apiPort}${path}`, init),
    /** The status of what is written as it is, which `fetch` would put right. */
    async asIs(target: string): Promise<number | 'the page'> {
      const socket = connect(port, '127.0.0.1');
      socket.end(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
      const answer = await text(socket);
      return answer.includes('<p>The page</p>') ? 'the page' : Number(answer.split(' ', 2)[1]);
    },
    /** As the service does when it stops. */
    async close() {
      await api.app.close();
      await dashboard.close();
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await dashboard.close();
      directory[Symbol.dispose]();
    },
  };
}
