import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import type { Environment } from '@steward/service-kit/configuration/read';
import { type Line, LineSplitter } from '@steward/shared/bridge/line-splitter';

/** A longer line of output is not logged, only that there was one. */
const loggedLineBytes = 8 * 1024;

/** What is left of a dead game's output is read for this long, in case something else holds the pipe. */
export const lastOutputMs = 500;

/** One run of the game's command. */
export interface GameProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  kill(signal: NodeJS.Signals): void;
}

export interface ProcessEvents {
  readonly exited: (how: string) => void;
  readonly errorLine: (line: string) => void;
}

export type StartProcess = (command: readonly string[], events: ProcessEvents) => GameProcess;

/**
 * Starts commands in this environment, each in a process group of its own: what a wrapper script starts ends with it, and a Ctrl-C at the
 * terminal reaches the game only through the graceful stop.
 */
export const processStarter =
  (env: Environment): StartProcess =>
  ([file = '', ...args], { exited, errorLine }) => {
    const notStarted = (error: Error) => exited(`it cannot be started: ${error.message}`);
    let child: ChildProcessByStdio<Writable, Readable, Readable>;
    try {
      child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    } catch (error) {
      // As it says of a command that is not there, only that whoever asked has to hear of it later.
      queueMicrotask(() => notStarted(error as Error));
      return nothing();
    }
    child.on('error', (error) => {
      if (child.pid === undefined) notStarted(error);
    });
    child.on('exit', (code, signal) => {
      killGroup(child, 'SIGKILL');
      exited(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`);
    });
    // Where no more files may be open there is none of them, whatever the types say.
    const { stderr }: { readonly stderr: Readable | undefined } = child;
    if (stderr === undefined) return nothing();
    forwardLines(stderr, errorLine);
    return {
      pid: child.pid,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      kill: (signal) => killGroup(child, signal),
    };
  };

/** In the place of a process that never was. */
function nothing(): GameProcess {
  return {
    pid: undefined,
    stdin: new Writable({ write: (_chunk, _encoding, done) => done() }),
    stdout: Readable.from([]),
    stderr: Readable.from([]).resume(),
    kill: () => {},
  };
}

function killGroup({ pid }: ChildProcessByStdio<Writable, Readable, Readable>, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty already.
  }
}

function forwardLines(output: Readable, take: (line: string) => void): void {
  const splitter = new LineSplitter(loggedLineBytes);
  const forward = (line: Line) => {
    take(line.kind === 'over-limit' ? `(a line over ${loggedLineBytes} bytes)` : line.text);
  };
  output.on('data', (chunk: Buffer) => {
    for (const line of splitter.push(chunk)) forward(line);
  });
  // What crashes need not end its last line. A pipe says that it is closed only after it counts as closed, and one that is cut off never ends.
  for (const over of ['end', 'close'])
    output.on(over, () => {
      const rest = splitter.rest();
      if (rest !== undefined) forward(rest);
    });
  output.on('error', () => {});
}
