import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ReadStream, WriteStream } from 'node:tty';
import { pathToFileURL } from 'node:url';
import { type ProgramDescription, start } from '../../src/command-line/program.ts';

/** What a command is started with, and what has come of it: the two messages between a test and this process. */
export interface Order {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** The path of its terminal, where it has one; what it writes is then there alone. */
  readonly terminal?: string;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// The program as `main.ts` starts it, one command after another: its libraries are loaded once, which is most of what a command costs.

const [, , file = ''] = process.argv;
const { program } = (await import(pathToFileURL(file).href)) as { program: ProgramDescription };
const endOfHost = process.exit.bind(process, 0);
const ordinary = getCACertificates('default');
let trusted: string | undefined;
const untilTheEnd = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGUSR1',
  'beforeExit',
  'uncaughtException',
  'unhandledRejection',
];

async function carryOut({ args, environment, terminal }: Order): Promise<Ended> {
  const ended = Promise.withResolvers<number>();
  const stdout = collecting();
  const stderr = collecting();
  const streams =
    terminal === undefined
      ? { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream }
      : streamsOf(terminal);
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  Object.assign(process, { exit: ended.resolve });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const { NODE_EXTRA_CA_CERTS: more } = environment;
  if (more !== trusted) setDefaultCACertificates(more ? [...ordinary, readFileSync(more, 'utf8')] : ordinary);
  trusted = more;
  process.argv.splice(2, process.argv.length, ...args);
  await start(program);
  // One that names no code is done without an exit: its process ends when nothing is left.
  const code = await Promise.race([ended.promise, nextTurn(0)]);
  for (const event of untilTheEnd) process.removeAllListeners(event);
  // Where a process ends with its command, nobody hears of what its libraries still run into.
  process.on('uncaughtException', () => {});
  // As the end of its process would: whoever reads the terminal sees that nobody writes there any more.
  if (terminal !== undefined)
    await Promise.all(Object.values(streams).map((stream) => once(stream.destroy(), 'close')));
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** What a process has that is started on a terminal. */
function streamsOf(terminal: string) {
  const opened = () => openSync(terminal, 'r+');
  return {
    stdin: new ReadStream(opened()),
    stdout: new WriteStream(opened()),
    stderr: new WriteStream(opened()),
  };
}

function collecting() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

// It ends in order, so that what it has compiled is kept for the next.
process.once('disconnect', endOfHost);
process.on('message', async (order: Order) => process.send?.(await carryOut(order)));
