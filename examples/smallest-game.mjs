// The smallest game that keeps every rule of the bridge: it has a clock, and a save. Copy it, and put your game in its place.
//   node smallest-game.mjs                     speaks over standard input and output, for GAME_BRIDGE=spawn
//   node smallest-game.mjs /path/to/game.sock  dials that socket, for GAME_BRIDGE=listen
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const file = process.env.FARM_FILE ?? 'smallest-farm.json';

// The journal is part of the farm: whatever saves, loads or loses the one does so with the other.
const farm = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { farmId: 'Smallest_1', saveGeneration: 0, timeOfDay: 600, journal: [] };

// Another file first, and then its name: a crash leaves the old save or the new one, never half of one.
function writeSave() {
  writeFileSync(`${file}.new`, JSON.stringify(farm));
  renameSync(`${file}.new`, file);
}

const generation = () => ({ saveGeneration: farm.saveGeneration });
const addGeneration = () => {
  farm.saveGeneration += 1;
};

// Of each command: what is wrong with it, what it changes, how that is shown before and after, and what follows.
const commands = {
  setTime: {
    refusal: ({ value }) =>
      Number.isInteger(value) && value >= 600 && value <= 2600
        ? undefined
        : { code: 'out-of-range', message: 'the time is 600 to 2600' },
    shown: () => ({ timeOfDay: farm.timeOfDay }),
    apply: ({ value }) => {
      farm.timeOfDay = value;
    },
  },
  // Nobody can play here. Where somebody does, refuse `save` as `players-online`, and let `stop` save nothing.
  save: { shown: generation, apply: addGeneration, afterwards: writeSave },
  stop: { shown: generation, apply: addGeneration, afterwards: writeSave, isLast: true },
};

const identity = () => ({ farmId: farm.farmId, saveGeneration: farm.saveGeneration });

const status = () => ({
  playerCount: 0,
  maxPlayers: 4,
  serverVersion: '1.0.0',
  gameVersion: '1.6.15',
  isOnline: true,
  isReady: true,
  dayTransitionComplete: true,
  isPaused: true,
  farmName: 'Smallest',
  farmTypeKey: 'Standard',
  day: 1,
  season: 'spring',
  year: 1,
  timeOfDay: farm.timeOfDay,
});

const wholeState = () => ({
  farm: identity(),
  status: status(),
  players: [],
  farmhands: [],
  cabins: { strategy: 'None', cabins: [], savedPositionPlayerIds: [] },
  rendering: { fps: 0 },
  stats: {
    fps: 0,
    tps: 4,
    targetTps: 4,
    avgTickMs: 0,
    memoryMb: process.memoryUsage().rss / 1e6,
    gcGen0: 0,
    gcGen1: 0,
    gcGen2: 0,
    pendingActions: 0,
    gameThreadWaitMs: 0,
    uptimeSeconds: Math.floor(process.uptime()),
  },
  networks: { relay: {}, network: { signedIn: false }, directIp: { listening: false } },
});

let ticks = 0;

// One connection. What it holds is lost with it, and a command that waits for its claim is then never applied.
function speak(input, output, ended) {
  const waiting = new Map(); // our requests: what to do with the answer
  const inHand = new Map(); // commands that wait for their claim: the requests that gave them
  let requests = 0;
  let loop;

  const send = (message) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const fail = (id, code, message) => send({ id, error: { code, message } });
  const ask = (method, params, take) => {
    requests += 1;
    waiting.set(String(requests), take);
    send({ id: String(requests), method, params });
  };

  function finish(command, outcome) {
    for (const id of inHand.get(command) ?? []) send({ id, result: outcome });
    inHand.delete(command);
  }

  function apply(command, params, { shown, apply, afterwards, isLast }) {
    const before = shown();
    apply(params);
    const outcome = { outcome: 'applied', before, after: shown() };
    // In one step with its effect, and before a save that is the effect: that save has it, too.
    farm.journal = [...farm.journal, { command, outcome }].slice(-1000);
    afterwards?.();
    finish(command, outcome);
    send({ method: 'state', params: { farm: identity(), status: status() } });
    if (isLast) output.write('', () => process.exit(0));
  }

  function take(id, name, { command, ...params }) {
    const known = farm.journal.find((entry) => entry.command === command);
    if (known) return send({ id, result: known.outcome });
    if (inHand.has(command)) return inHand.get(command).push(id);
    const refusal = commands[name].refusal?.(params);
    if (refusal) return send({ id, result: { outcome: 'refused', ...refusal } });
    inHand.set(command, [id]);
    ask('claim', { command }, ({ result }) => {
      // Given up meanwhile: the journal has called it absent.
      if (!inHand.has(command)) return;
      if (result?.granted) apply(command, params, commands[name]);
      else finish(command, { outcome: 'void' });
    });
  }

  function journalEntry(command) {
    const known = farm.journal.find((entry) => entry.command === command);
    if (known) return { command, state: 'applied', outcome: known.outcome };
    finish(command, { outcome: 'void' });
    return { command, state: 'absent' };
  }

  function read(line) {
    let message;
    try {
      message = Object(JSON.parse(line));
    } catch {
      return fail(null, -32700, 'this line is no JSON');
    }
    const { id, method, params = {} } = message;
    if (method === undefined && waiting.has(id)) {
      waiting.get(id)(message);
      waiting.delete(id);
    } else if (method === 'journal') send({ id, result: { entries: params.commands.map(journalEntry) } });
    else if (Object.hasOwn(commands, method)) take(id, method, params);
    else if (method === undefined) fail(null, -32600, 'this line is no message');
    else if (id !== undefined) fail(id, -32601, `this game knows no ${method}`);
  }

  // A line is whole when its line feed has come, however the stream has cut it.
  let text = '';
  input.setEncoding('utf8');
  input.on('data', (piece) => {
    const lines = (text + piece).split('\n');
    text = lines.pop();
    for (const line of lines) read(line);
  });
  output.on('error', () => {});
  input.once('close', () => {
    clearInterval(loop);
    ended();
  });

  const hello = {
    protocol: { major: 1, minor: 1 },
    game: { name: 'Smallest game', version: '1.0.0' },
    capabilities: Object.keys(commands),
    farm: identity(),
  };
  ask('hello', hello, ({ error }) => {
    if (error) {
      console.error(error.message);
      return output.end();
    }
    send({ method: 'state', params: wholeState() });
    // The loop of the game: it ticks, so that a loop that hangs falls silent.
    loop = setInterval(() => {
      ticks += 1;
      send({ method: 'tick', params: { count: ticks } });
    }, 250);
  });
}

// Again and again, with a pause: whoever is refused must not dial without one.
function dial(path) {
  const socket = connect(path);
  socket.on('error', () => {});
  socket.once('connect', () => speak(socket, socket, () => {}));
  socket.once('close', () => setTimeout(dial, 1000, path));
}

const [path] = process.argv.slice(2);
if (path) dial(path);
else
  speak(process.stdin, process.stdout, () => {
    addGeneration();
    writeSave();
    process.exit(0);
  });
