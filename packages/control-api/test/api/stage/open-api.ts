import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { parseExact } from '@steward/service-kit/json';
import { createLogger } from '@steward/service-kit/log/logger';
import { methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { commands } from '@steward/shared/bridge/commands';
import { askedNames } from '@steward/shared/bridge/methods';
import { timestampOf } from '@steward/shared/wire-values';
import type { Fault } from '@steward/testing/game/faults';
import type { ScriptedGame } from '@steward/testing/game/scripted-game';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { InjectOptions } from 'fastify';
import type { Archivist } from '../../../src/backups/archive/archivist.ts';
import type { ChatRelayLimits } from '../../../src/chat/limits.ts';
import { variables } from '../../../src/configuration.ts';
import { DrainFile, type DrainOrder, drainFileName } from '../../../src/drain/drain-file.ts';
import { GameOutput } from '../../../src/game/modes/game-output.ts';
import { composeService } from '../../../src/service.ts';
import type { Service } from '../../../src/service-parts.ts';
import { SettingsFile } from '../../../src/settings/settings-file.ts';
import { NewerFiles } from '../../../src/store/directory/newer-files.ts';
import { WebhookEgress } from '../../../src/webhooks/egress/webhook-egress.ts';
import type { Egress } from '../../../src/webhooks/sending.ts';
import { oneArchivist } from '../../backups/stage/one-archivist.ts';
import { MemoryStore } from '../../game/stage/memory-store.ts';
import { type GameEnd, MemoryMode, settled } from '../../game/stage/stage.ts';
import { borrowedThread, threadOf } from '../../store/threads.ts';
import { type ApiDocument, DocumentedAnswers } from './documented-answers.ts';
import { fullGame } from './full-farm.ts';
import { backupPlaces, type LeftBackup, leaveBackups } from './left-backups.ts';
import type { LeftKey } from './left-keys.ts';
import { leaveRecords } from './left-records.ts';
import type { LeftSchedule } from './left-schedules.ts';
import type { LeftWebhook } from './left-webhooks.ts';
import { SocketClient } from './over-socket.ts';

export const testKey = 'k3y';

export interface StageOptions {
  readonly chatLimits?: Partial<ChatRelayLimits>;
  readonly key?: string | undefined;
  /** Without one, no game is connected. */
  readonly game?: boolean;
  /** For so long, in milliseconds, none has been. */
  readonly aloneMs?: number;
  readonly capabilities?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly writesPerMinute?: number;
  /** What the game does that it should not. */
  readonly fault?: Fault;
  /** What the settings file holds; made with the defaults otherwise. */
  readonly settings?: string;
  readonly log?: NodeJS.WritableStream;
  /** Keys that an earlier server made. */
  readonly leftKeys?: readonly LeftKey[];
  /** Webhooks that an earlier server made. */
  readonly leftWebhooks?: readonly LeftWebhook[];
  /** Schedules that an earlier server made. */
  readonly leftSchedules?: readonly LeftSchedule[];
  /** There are backups then: a save, and those of it that an earlier server made. */
  readonly leftBackups?: readonly LeftBackup[];
  /** Variables beside those of the stage. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Who makes and reads archives, where it is another than the service's own. */
  readonly archivist?: Archivist;
  /** Who is banned, or on the allowlist, since an earlier server. */
  readonly leftLists?: Readonly<Record<'bans' | 'allowlist', readonly object[]>>;
  /** A drain that waits, since an earlier server. */
  readonly leftDrain?: DrainOrder;
  /** What one server leaves here the next one finds; without it nothing outlives the server. */
  readonly directory?: string;
  /** Where operations are kept, of a server that nothing outlives. */
  readonly store?: MemoryStore;
  /** The thread that writes the store, where it is another than the service's own. */
  readonly storeWriter?: URL;
  /** What receivers of webhooks answer; 204 where nothing is said. */
  readonly post?: Egress['post'];
}

export interface Ask {
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
  readonly remoteAddress?: string;
  readonly key?: string | null;
  /** Asks over a connection rather than by a call, so that the real parser reads the request. */
  readonly client?: SocketClient;
}

const everything: readonly string[] = [...Object.keys(commands), ...askedNames];

type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS';

const { path: documentPath } = methodAndPath(endpoints.getDocument);

/** Says where a webhook may go; nothing leaves by it. */
const usual = new WebhookEgress({ allowed: [], clock: systemClock });

const takesAll: Egress['post'] = async () => ({ kind: 'answered', status: 204, headers: {}, body: '' });

/** Every stage has the same routes, so one document: making it, and what checks answers by it, takes longer than a stage. */
let described: ReturnType<typeof describeAnswers> | undefined;

async function describeAnswers(app: Service['app']) {
  const document = parseExact((await app.inject(documentPath)).body) as ApiDocument;
  return { document, documented: new DocumentedAnswers(document) };
}

/** The whole API over the real bridge, with a farm at the other end; every answer is held against the document. */
export async function openApi(options: StageOptions = {}) {
  const own = options.directory === undefined ? temporaryDirectory() : undefined;
  const directory = options.directory ?? own?.path ?? '';
  const { key, game = true, capabilities = everything, aloneMs = 0 } = options;
  const clock = new ManualClock();
  clock.setWallClock(-aloneMs);
  const log = options.log ?? process.stderr;
  const logger = createLogger(
    'test',
    { LOG_LEVEL: options.log === undefined ? 'silent' : 'info', LOG_FORMAT: 'json' },
    log,
  );
  const settingsPath = join(directory, 'server-settings.json');
  const file = new SettingsFile(settingsPath);
  if (options.settings !== undefined) await file.replace(options.settings);
  const { leftKeys, leftWebhooks, leftSchedules } = options;
  const records = { leftKeys, leftWebhooks, leftSchedules };
  const isLeft = Object.values(records).some((each) => each !== undefined);
  const secrets = own !== undefined || isLeft ? leaveRecords(directory, records) : undefined;
  if (options.leftBackups !== undefined) await leaveBackups(directory, options.leftBackups);
  if (options.leftLists !== undefined)
    writeFileSync(join(directory, 'bans.json'), JSON.stringify({ version: 1, ...options.leftLists }));
  if (options.leftDrain !== undefined)
    await new DrainFile(join(directory, drainFileName), {
      newerFiles: new NewerFiles(logger),
      clock,
      log: logger,
    }).write({
      order: options.leftDrain,
      operationId: '900',
      startedAt: timestampOf(clock.date()),
    });
  const mode = new MemoryMode();
  mode.output = new GameOutput(clock);
  mode.output.said('stderr', 'The farm is open');
  let commandIds = 0;
  const service = await composeService({
    configuration: readConfiguration(variables, {
      STATE_DIR: directory,
      SETTINGS_PATH: settingsPath,
      PLATFORM_AUTH_URL: '',
      API_KEY: key,
      API_ALLOWED_ORIGINS: options.allowedOrigins?.join(','),
      API_ALLOWED_HOSTS: options.allowedHosts?.join(','),
      TRUSTED_PROXIES: options.trustedProxies?.join(','),
      ...(options.leftBackups === undefined ? {} : backupPlaces(directory)),
      ...options.environment,
    }),
    version: '0.1.0',
    logger,
    clock,
    retryClock: clock,
    random: () => 0,
    bridge: {
      mode,
      ...(own === undefined ? {} : { store: options.store ?? new MemoryStore() }),
      newCommandId: () => {
        commandIds += 1;
        return String(1_000 + commandIds);
      },
    },
    egress: { check: (url) => usual.check(url), post: options.post ?? takesAll },
    writes: { attempts: options.writesPerMinute ?? Number.POSITIVE_INFINITY, windowMs: 60_000 },
    archivist: options.archivist ?? oneArchivist,
    startWriter: options.storeWriter === undefined ? borrowedThread : threadOf(options.storeWriter),
    ...(options.chatLimits === undefined ? {} : { chatLimits: options.chatLimits }),
  });
  const { app, bridge, settings, ownership, disk, keys, webhooks, backups, schedules } = service;
  await service.start();
  await app.ready();
  clock.advance(aloneMs);
  let end: GameEnd | undefined;
  const connect = async (before: (farm: ScriptedGame) => void = () => {}) => {
    const farm = fullGame(capabilities, options.fault);
    before(farm);
    end = mode.connect();
    void farm.connect(end.stream);
    await settled();
    return farm;
  };
  /** Of a stream the head alone, as it has no end. */
  const inject = async (asked: InjectOptions) => {
    const answer = await app.inject({ ...asked, payloadAsStream: true });
    if (answer.headers['content-type']?.startsWith('text/event-stream') !== true)
      return Object.assign(answer, { body: await text(answer.stream()) });
    answer.stream().destroy();
    return Object.assign(answer, { body: '' });
  };
  const farm = game ? await connect() : undefined;
  let stopped: Promise<void> | undefined;
  const stop = (drainSeconds?: number) => {
    stopped ??= service.stop(drainSeconds);
    return stopped;
  };
  described ??= describeAnswers(app);
  const { document, documented } = await described;

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
    keys,
    webhooks,
    backups,
    schedules,
    /** What opens a key that was left. */
    secretOf: (name: string) => secrets?.get(name) ?? '',
    /** What no test has to wait for otherwise. */
    watch: () => service.watch(),
    mapPath: join(directory, 'farms', 'Sunnybrook_398472611', 'farmhand-ownership.json'),
    mode,
    connect,
    /** The game ends, as one that was asked to stop. */
    gameGoes: () => end?.cut(),
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
        ? inject({ method, url, headers, ...rest })
        : client.ask(url, { method, headers, ...rest }));
      documented.check(method, url, answer);
      const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
      return Object.assign(answer, {
        exact: (isJson ? parseExact(answer.body) : undefined) as Record<string, unknown>,
      });
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      own?.[Symbol.dispose]();
    },
  };
}
