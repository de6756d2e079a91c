import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLogger } from '@steward/service-kit/log/logger';
import { Secret } from '@steward/service-kit/secret';
import { parseExact } from '@steward/shared/json/exact';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { defaultChatLimits } from '../../../src/chat/chat-variables.ts';
import type { ChatRelayLimits } from '../../../src/chat/limits.ts';
import { buildApp } from '../../../src/http/app.ts';
import { Ownership } from '../../../src/ownership/ownership.ts';
import { OwnershipFile } from '../../../src/ownership/ownership-file.ts';
import { FarmOrigins } from '../../../src/settings/farm-origins.ts';
import { Settings } from '../../../src/settings/settings.ts';
import { SettingsFile } from '../../../src/settings/settings-file.ts';
import { OperationFile } from '../../../src/store/operation-file.ts';
import { StateDirectory } from '../../../src/store/state-directory.ts';
import { UnreadFiles } from '../../../src/store/unread-files.ts';
import { MemoryStore } from '../../game/stage/memory-store.ts';
import { buildBridge, MemoryMode, openFarm, quiet, settled } from '../../game/stage/stage.ts';
import { wayWithoutSidecar } from '../../invites/stage/direct-ip-way.ts';
import { type ApiDocument, DocumentedAnswers } from './documented-answers.ts';
import { SocketClient } from './over-socket.ts';
import { TestFarm } from './test-farm.ts';

export const testKey = 'k3y';

export interface StageOptions {
  readonly chatLimits?: Partial<ChatRelayLimits>;
  readonly key?: string | undefined;
  /** Without one, no game is connected. */
  readonly game?: boolean;
  readonly capabilities?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly writesPerMinute?: number;
  /** What the settings file holds; made with the defaults otherwise. */
  readonly settings?: string;
  readonly log?: NodeJS.WritableStream;
  /** What one server leaves here the next one finds; without it nothing outlives the server. */
  readonly directory?: string;
}

export interface Ask {
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
  readonly remoteAddress?: string;
  readonly key?: string | null;
  /** Asks over a connection rather than by a call, so that the real parser reads the request. */
  readonly client?: SocketClient;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS';

const everything = [
  'setRenderRate',
  'setTime',
  'grantAdmin',
  'deleteFarmhand',
  'clearStamp',
  'applySettings',
];

/** The whole API over the real bridge, with a farm at the other end; every answer is held against the document. */
export async function openApi(options: StageOptions = {}) {
  const own = options.directory === undefined ? temporaryDirectory() : undefined;
  const directory = options.directory ?? own?.path ?? '';
  const { key, game = true, capabilities = everything } = options;
  const clock = new ManualClock();
  const now = () => clock.date();
  const log = options.log ?? process.stderr;
  const logger = createLogger(
    'test',
    { LOG_LEVEL: options.log === undefined ? 'silent' : 'info', LOG_FORMAT: 'json' },
    log,
  );
  const file = new SettingsFile(join(directory, 'server-settings.json'));
  if (options.settings !== undefined) await file.replace(options.settings);
  const unread = new UnreadFiles(logger);
  const disk = new StateDirectory({ path: directory, clock, log: logger });
  const origins = await FarmOrigins.load(join(directory, 'farm-origins.json'), logger, unread);
  const settings = await Settings.load(file, logger, origins);
  const ownership = new Ownership({
    file: new OwnershipFile(join(directory, 'farms')),
    clock,
    log: logger,
    isEnforced: () => settings.view.effective.server.enforceFarmhandOwnership,
    address: () => ({ url: 'http://127.0.0.1:8080', hasKey: key !== undefined }),
  });
  const mode = new MemoryMode();
  let commands = 0;
  const bridge = buildBridge({
    mode,
    clock,
    store:
      own === undefined
        ? new OperationFile(join(directory, 'operations.jsonl'), { log: quiet, now, unread, disk })
        : new MemoryStore(),
    questions: { ...openFarm, ...ownership.questions, settings: () => settings.tell() },
    newCommandId: () => {
      commands += 1;
      return String(1_000 + commands);
    },
  });
  ownership.attach(bridge);
  settings.attach(bridge);
  await bridge.start();
  const app = await buildApp({
    key: key === undefined ? undefined : new Secret(key),
    browsers: {
      allowedOrigins: new Set(options.allowedOrigins),
      allowedHosts: new Set(options.allowedHosts),
    },
    trustedProxies: options.trustedProxies ?? [],
    writes: { attempts: options.writesPerMinute ?? Number.POSITIVE_INFINITY, windowMs: 60_000 },
    chatLimits: { ...defaultChatLimits, ...options.chatLimits },
    bridge,
    inviteWay: wayWithoutSidecar(bridge, clock, logger),
    settings,
    ownership,
    unread,
    disk,
    version: '0.1.0',
    logger,
    clock,
  });
  const connect = async () => {
    const farm = new TestFarm(mode.connect());
    farm.hello(capabilities);
    await settled();
    return farm;
  };
  const farm = game ? await connect() : undefined;
  const document = parseExact((await app.inject('/api-spec/v1/api-spec.json')).body) as ApiDocument;
  const documented = new DocumentedAnswers(document);

  return {
    app,
    bridge,
    clock,
    document,
    file,
    settings,
    ownership,
    directory,
    disk,
    mapPath: join(directory, 'farms', 'Sunnybrook_398472611', 'farmhand-ownership.json'),
    mode,
    connect,
    get farm() {
      if (farm === undefined) throw new Error('this stage has no game');
      return farm;
    },
    /** Has the server listen; resolves to what asks it over a connection. */
    async listen(): Promise<SocketClient> {
      await app.listen({ host: '127.0.0.1', port: 0 });
      return new SocketClient((app.server.address() as AddressInfo).port);
    },
    /** Asks, holds the answer against the document, and gives it with its exact JSON. */
    async ask(
      method: Method,
      url: string,
      { headers: more, key: given = key ?? null, client, ...rest }: Ask = {},
    ) {
      const headers = { ...(given === null ? {} : { authorization: `Bearer ${given}` }), ...more };
      const answer = await (client === undefined
        ? app.inject({ method, url, headers, ...rest })
        : client.ask(url, { method, headers, ...rest }));
      documented.check(method, url, answer);
      const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
      return Object.assign(answer, {
        exact: (isJson ? parseExact(answer.body) : undefined) as Record<string, unknown>,
      });
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await disk.stop();
      await bridge.stop();
      await Promise.all([ownership.close(), settings.close(), origins.written]);
      own?.[Symbol.dispose]();
    },
  };
}
