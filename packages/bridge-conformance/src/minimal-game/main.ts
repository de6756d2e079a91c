import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { parseAddress } from '../wire/address.ts';
import { JsonLines } from '../wire/json-lines.ts';
import { Connection } from './connection.ts';
import { type Fault, isFault } from './faults.ts';
import { World } from './world.ts';

// The first dial comes at once; the pauses after it grow to the longest.
const firstPauseMs = 100;
const longestPauseMs = 2_000;

const { values } = parseArgs({
  options: {
    dial: { type: 'string' },
    secret: { type: 'string' },
    save: { type: 'string' },
    trace: { type: 'string' },
    break: { type: 'string' },
  },
});
const fault: Fault | undefined =
  values.break !== undefined && isFault(values.break) ? values.break : undefined;
const world = new World({ save: values.save, trace: values.trace }, fault);

if (values.dial === undefined) speakOverStdio();
else dial(values.dial, firstPauseMs, false, []);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function speakOverStdio(): void {
  const { stdin: input, stdout: output } = process;
  const lines = new JsonLines(
    { input, output, end: () => process.exit(0) },
    {
      line: (text) => connection.read(text),
      ended: () => {
        connection.lost();
        if (fault !== 'outlives-its-input') process.exit(0);
        setInterval(() => {}, longestPauseMs);
      },
    },
  );
  const connection = new Connection(lines, {
    world,
    fault,
    secret: undefined,
    again: false,
    refused: (reason) => {
      say(`refused: ${reason}`);
      process.exit(1);
    },
    exit: () => process.stdout.write('', () => process.exit(0)),
  });
  readPackets(input, connection);
  connection.hello();
}

function readPackets(input: Readable, connection: Connection): void {
  if (fault !== 'reads-packets') return;
  input.removeAllListeners('data');
  input.on('data', (chunk: Buffer) => connection.read(chunk.toString().trim()));
}

function dial(address: string, pauseMs: number, again: boolean, leftOver: readonly string[]): void {
  const options = parseAddress(address);
  if (options === undefined) {
    say(`--dial ${address}: it must be unix:<path> or tcp:<host>:<port>`);
    process.exit(2);
  }
  const socket = connect(options);
  const redial = (left: readonly string[]) => {
    if (fault === 'stays-away') return;
    const longer = Math.min(longestPauseMs, pauseMs * 2);
    setTimeout(() => dial(address, longer, true, left), pauseMs);
  };
  socket.once('error', () => redial(leftOver));
  socket.once('connect', () => {
    socket.removeAllListeners('error');
    speakOver(socket, again, leftOver, (left) => dial(address, firstPauseMs, true, left), redial);
  });
}

function speakOver(
  socket: Socket,
  again: boolean,
  leftOver: readonly string[],
  atOnce: (leftOver: readonly string[]) => void,
  later: (leftOver: readonly string[]) => void,
): void {
  let next = again ? later : atOnce;
  if (fault === 'stays-away') next = () => setInterval(() => {}, longestPauseMs);
  const lines = new JsonLines(
    { input: socket, output: socket, end: () => socket.end() },
    {
      line: (text) => connection.read(text),
      ended: () => {
        connection.lost();
        socket.destroy();
        next(connection.leftOver);
      },
    },
  );
  const connection = new Connection(lines, {
    world,
    fault,
    secret: values.secret,
    again,
    refused: (reason) => {
      say(`refused: ${reason}`);
      next = later;
      socket.end();
    },
    exit: () => socket.end(() => process.exit(0)),
  });
  readPackets(socket, connection);
  connection.hello();
  if (fault === 'claims-after-loss')
    for (const command of leftOver) connection.ask('claim', { command }, () => {});
}
