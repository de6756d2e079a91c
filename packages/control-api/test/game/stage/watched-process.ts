import { PassThrough, type Readable, type Writable } from 'node:stream';
import { type GameProcess, processStarter, type StartProcess } from '../../../src/game/modes/game-process.ts';

export interface Frame {
  readonly direction: 'from game' | 'to game';
  readonly text: string;
  /** Counts from 1, over all runs of the game; ticks and state, which come when they like, have none. */
  readonly number: number | undefined;
  readonly pid: number;
}

/** Real processes, with every message between them and the bridge in a test's hand before it passes. */
export function watchedProcess(passing: (frame: Frame) => 'pass' | 'drop'): StartProcess {
  const start = processStarter(process.env);
  let count = 0;
  return (command, events) => {
    const game = start(command, events);
    const pid = game.pid ?? 0;
    const gate = (direction: Frame['direction'], text: string) => {
      const counts = !/"method":"(tick|state)"/.test(text);
      if (counts) count += 1;
      return passing({ direction, text, number: counts ? count : undefined, pid });
    };
    const stdout = new PassThrough();
    const stdin = new PassThrough();
    relay(game.stdout, stdout, (line) => gate('from game', line));
    relay(stdin, game.stdin, (line) => gate('to game', line));
    game.stdin.on('error', () => {});
    return {
      pid,
      stdin,
      stdout,
      stderr: game.stderr,
      kill: (signal) => game.kill(signal),
    } satisfies GameProcess;
  };
}

function relay(from: Readable, to: Writable, gate: (line: string) => 'pass' | 'drop'): void {
  let rest = '';
  from.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (gate(line) === 'pass') to.write(`${line}\n`);
  });
  from.on('close', () => to.end());
}
