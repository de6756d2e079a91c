import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { parseAddress } from '@steward/shared/bridge/address';
import type { CommandName } from '@steward/shared/bridge/commands';
import type { LineStream } from '@steward/shared/bridge/line-stream';
import type { AskedName } from '@steward/shared/bridge/methods';
import type { WholeState } from '@steward/shared/bridge/state';
import type { Applied } from './command-runner.ts';
import { cabinsOf, emptyFarm, robin, slot } from './empty-farm.ts';
import { type Fault, isFault } from './faults.ts';
import { SaveFile } from './save-file.ts';
import { overSocket, ScriptedGame } from './scripted-game.ts';

const tickMs = 250;
// The first dial comes at once; the pauses after it grow to the longest.
const firstPauseMs = 100;
const longestPauseMs = 2_000;

const capabilities: readonly (CommandName | AskedName)[] = [
  'setRenderRate',
  'setTime',
  'grantAdmin',
  'deleteFarmhand',
  'sendChat',
  'announce',
  'kick',
  'linkLobby',
  'newFarm',
  'loadFarm',
  'farms',
  'screenshot',
  'save',
  'stop',
];

const { values } = parseArgs({
  options: {
    dial: { type: 'string' },
    secret: { type: 'string' },
    save: { type: 'string' },
    saves: { type: 'string' },
    trace: { type: 'string' },
    break: { type: 'string' },
  },
});
const fault: Fault | undefined =
  values.break !== undefined && isFault(values.break) ? values.break : undefined;

/** The scripted game as a process of its own: it keeps its farm in a file, and can be killed. */
class GameProcess extends ScriptedGame {
  readonly #file: SaveFile;
  readonly #exit: () => void;

  constructor(file: SaveFile, exit: () => void) {
    const saved = file.read();
    super({
      state: saved?.state ?? newFarm(),
      journal: new Map(saved?.journal),
      secret: values.secret,
      capabilities,
      fault,
      tickMs,
    });
    this.#file = file;
    this.#exit = exit;
    file.trace('start');
  }

  override save(): void {
    super.save();
    this.#file.save(this.state, this.journal);
  }

  protected override applied(applied: Applied): void {
    this.#file.applied(applied.command, this.state, this.journal);
  }

  protected override told(applied: Applied): void {
    super.told(applied);
    if (applied.name === 'stop' && fault !== 'ignores-stop') this.#exit();
  }
}

/** Two farmhands, and a lobby that anybody may join: all that the bridge's rules need. */
function newFarm(): WholeState {
  const state = emptyFarm();
  const farmId = fault === 'changes-farm' ? `Meadow_${process.pid}_${Date.now()}` : 'Meadow_1';
  const farmhands = [slot(robin.id, robin.name), slot('771230')];
  const visibility = fault === 'closed-lobby' ? 'friends-only' : 'public';
  return {
    ...state,
    farm: { farmId, saveGeneration: 0 },
    players: fault === 'saves-while-played' ? [robin] : [],
    farmhands,
    cabins: { ...state.cabins, cabins: cabinsOf(farmhands) },
    networks: {
      relay: { why: 'this game has no relay' },
      network: { signedIn: true, lobby: { id: '109775241001034568', visibility } },
      directIp: { listening: false, why: 'this game has no network' },
    },
  };
}

let wasConnected = false;
let exit: () => void = () => process.exit(0);
const game = new GameProcess(new SaveFile(values, fault), () => exit());
if (values.dial === undefined) void speakOverStdio();
else dial(values.dial, firstPauseMs);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Whether this ended in a refusal that the game respects. */
async function isRefused(stream: LineStream, ended: () => void): Promise<boolean> {
  const answer = await game.connect(stream, ended);
  if (answer.kind !== 'error' || fault === 'ignores-refusal') return false;
  say(`refused: ${answer.message}`);
  return true;
}

async function speakOverStdio(): Promise<void> {
  const { stdin: input, stdout: output } = process;
  exit = () => process.stdout.write('', () => process.exit(0));
  const ended = () => {
    if (fault !== 'outlives-its-input') process.exit(0);
    setInterval(() => {}, longestPauseMs);
  };
  if (await isRefused({ input, output, close: () => {} }, ended)) process.exit(1);
}

function dial(address: string, pauseMs: number): void {
  const options = parseAddress(address);
  if (options === undefined) {
    say(`--dial ${address}: it must be unix:<path> or tcp:<host>:<port>`);
    process.exit(2);
  }
  const socket = connect(options);
  const redial = () => {
    if (fault !== 'stays-away')
      setTimeout(() => dial(address, Math.min(longestPauseMs, pauseMs * 2)), pauseMs);
  };
  socket.once('error', redial);
  socket.once('connect', async () => {
    socket.off('error', redial);
    exit = () => socket.end(() => process.exit(0));
    let isLater = wasConnected;
    wasConnected = true;
    const ended = () => {
      socket.destroy();
      if (fault === 'stays-away') setInterval(() => {}, longestPauseMs);
      else if (isLater) redial();
      else dial(address, firstPauseMs);
    };
    if (await isRefused(overSocket(socket), ended)) {
      isLater = true;
      socket.end();
    }
  });
}
