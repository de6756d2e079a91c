import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '@steward/service-kit/configuration/read';
import { LineSplitter } from '@steward/shared/bridge/line-splitter';

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
    const child = spawn(file, args, {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    child.on('error', (error) => {
      if (child.pid === undefined) exited(`it cannot be started: ${error.message}`);
    });
    child.on('exit', (code, signal) => {
      killGroup(child, 'SIGKILL');
      exited(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`);
    });
    forwardLines(child.stderr, errorLine);
    return {
      pid: child.pid,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      kill: (signal) => killGroup(child, signal),
    };
  };

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
  output.on('data', (chunk: Buffer) => {
    for (const line of splitter.push(chunk)) {
      if (line.kind === 'line') take(line.text);
      else
        take(
          line.kind === 'over-limit'
            ? `(a line over ${loggedLineBytes} bytes)`
            : '(a line that is not UTF-8)',
        );
    }
  });
  output.on('error', () => {});
}
