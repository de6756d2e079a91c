import { PassThrough, Readable } from 'node:stream';
import type { Log } from '@steward/service-kit/log/logger';
import type { Secret } from '@steward/service-kit/secret';
import type { LineStream } from '@steward/shared/bridge/line-stream';
import { defaultSettings, type GameSettings } from '@steward/shared/bridge/settings';
import { ManualClock } from '@steward/testing/manual-clock';
import { JsonRpcGameBridge } from '../../../src/game/json-rpc/json-rpc-game-bridge.ts';
import type { GameOutput } from '../../../src/game/modes/game-output.ts';
import type { BridgeMode, ModeEvents } from '../../../src/game/modes/mode.ts';
import type { OperationStore } from '../../../src/game/operations/operations.ts';
import type { GameQuestions } from '../../../src/game/questions/game-questions.ts';
import { bridgeLimits } from '../../../src/game/state/limits.ts';
import { memoryEvents } from './memory-events.ts';
import { MemoryStore } from './memory-store.ts';

export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const openFarm: GameQuestions = {
  mayJoin: async () => ({ decision: 'allow', reason: 'the stage lets everybody in' }),
  visibleSlots: async ({ slots }) => ({ farmhandIds: slots.map(({ id }) => id) }),
  appTicket: async () => ({ ok: true, value: { ticket: 'dGlja2V0', platformId: '76561198000000001' } }),
  settings: (): GameSettings => defaultSettings,
};

/** Hands the bridge streams that a test holds the other end of. */
export class MemoryMode implements BridgeMode {
  readonly initial = { status: 'waiting', why: 'the stage is empty' } as const;
  readonly afterLoss = 'gone';
  /** Where the game is started here. */
  output?: GameOutput;
  #events: ModeEvents | undefined;

  async start(events: ModeEvents): Promise<void> {
    this.#events = events;
  }

  async stop(): Promise<void> {}

  connect(secret?: Secret, canVanish = false): GameEnd {
    const toApi = new PassThrough();
    const toGame = new PassThrough();
    const close = () => {
      toGame.end();
      toApi.destroy();
    };
    const stream = { input: toApi, output: toGame, close, from: 'the stage', helloMs: 10_000, canVanish };
    this.#events?.stream(secret === undefined ? stream : { ...stream, secret });
    return new GameEnd(toApi, toGame);
  }
}

/** The game's end of a stream: what it wrote is read line by line, what it says is said. */
export class GameEnd {
  readonly output: PassThrough;
  readonly input: PassThrough;
  closed = false;
  #text = '';

  constructor(output: PassThrough, input: PassThrough) {
    this.output = output;
    this.input = input;
    input.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
    });
    input.on('end', () => {
      this.closed = true;
    });
  }

  say(document: unknown): void {
    if (!this.output.destroyed)
      this.output.write(`${typeof document === 'string' ? document : JSON.stringify(document)}\n`);
  }

  /** What has come since the last look. */
  heard(): Record<string, unknown>[] {
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The same for a game that speaks for itself. As over a socket, it hears nothing before whoever said it has finished. */
  get stream(): LineStream {
    const later = new Readable({ read: () => {} });
    this.input.on('data', (chunk: Buffer) => setImmediate(() => later.push(chunk)));
    this.input.on('close', () => setImmediate(() => later.destroy()));
    return { input: later, output: this.output, close: () => this.cut() };
  }

  cut(): void {
    this.output.end();
    this.input.destroy();
  }
}

export function buildBridge(parts: {
  mode: BridgeMode;
  clock?: ManualClock;
  store?: OperationStore;
  questions?: GameQuestions;
  log?: Log;
  newCommandId?: () => string;
}): JsonRpcGameBridge {
  const { clock = new ManualClock() } = parts;
  return new JsonRpcGameBridge({
    mode: parts.mode,
    clock,
    store: parts.store ?? new MemoryStore(),
    questions: parts.questions ?? openFarm,
    limits: bridgeLimits,
    log: parts.log ?? quiet,
    version: '0.1.0',
    events: memoryEvents(clock),
    ...(parts.newCommandId === undefined ? {} : { newCommandId: parts.newCommandId }),
  });
}

/** Lets everything that is under way come to rest; no time passes. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

export const hello = {
  jsonrpc: '2.0',
  id: '1',
  method: 'hello',
  params: {
    protocol: { major: 1, minor: 0 },
    game: { name: 'Stage game', version: '1.0.0' },
    capabilities: ['setRenderRate', 'setTime', 'grantAdmin', 'save'],
    farm: { farmId: 'Meadow_1', saveGeneration: 3 },
  },
} as const;

/** A started bridge with a game that has said hello. */
export async function openStage({
  canVanish,
  ...parts
}: Omit<Parameters<typeof buildBridge>[0], 'mode'> & { canVanish?: boolean } = {}) {
  const mode = new MemoryMode();
  const clock = parts.clock ?? new ManualClock();
  const bridge = buildBridge({ ...parts, mode, clock });
  await bridge.start();
  const game = mode.connect(undefined, canVanish);
  game.say(hello);
  await settled();
  game.heard();
  return { bridge, mode, clock, game };
}
