import type { Command } from '@steward/shared/bridge/commands';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { it, vi } from 'vitest';
import { isFinal, type Operation } from '../../src/game/operations/operation.ts';
import { MemoryStore } from './stage/memory-store.ts';
import { spawnMode, stateThat, traced } from './stage/process-stage.ts';
import { buildBridge } from './stage/stage.ts';
import { watchedProcess } from './stage/watched-process.ts';

/** hello and its answer; then request, claim, its answer and the outcome for each of three commands. */
const messages = 14;
const faults = [
  'kill',
  'kill after it passed',
  'stop past every deadline',
  'stop past the claim deadline',
  'stop and go on',
] as const;
type Fault = (typeof faults)[number];

const script: { command: Command; key?: string }[] = [
  { command: { name: 'setTime', params: { value: 900 } }, key: 'a' },
  { command: { name: 'save', params: {} } },
  { command: { name: 'grantAdmin', params: { target: { name: 'robin' } } }, key: 'b' },
  { command: { name: 'setTime', params: { value: 900 } }, key: 'a' },
];

/** Which command a message is about, hello before them all. */
const commandOf = (at: number) => Math.ceil((at - 2) / 4);

/** At the small scale each message meets one of the first two kinds of kill, and the same message of another command the other. */
function faultsAt(at: number): readonly Fault[] {
  const only = (at + commandOf(at)) % 2;
  return faults.slice(count({ small: only, long: 0 }), count({ small: only + 1, long: faults.length }));
}

const cases = Array.from({ length: messages }, (_, index) => index + 1).flatMap((at) =>
  faultsAt(at).map((fault) => ({ at, fault })),
);

it.concurrent.for(cases)(
  'holds with a real process: $fault at message $at',
  async ({ at, fault }, { expect }) => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const store = new MemoryStore();
    let struck = false;
    const strike = (pid: number): 'pass' | 'drop' => {
      struck = true;
      return act(fault, pid, clock);
    };
    const startProcess = watchedProcess(({ direction, number, pid, text }) => {
      // The game's own ticks move the time on, at about its real pace.
      if (direction === 'from game' && text.includes('"tick"')) clock.advance(250);
      return number === at && !struck ? strike(pid) : 'pass';
    });
    const bridge = buildBridge({ mode: spawnMode(clock, directory.path, startProcess), clock, store });
    bridge.follow(({ link }) => {
      if (link.status === 'restarting') queueMicrotask(() => clock.advance(1_000));
    });
    await bridge.start();

    const answers: (Operation | undefined)[] = [];
    for (const { command, key } of script) {
      await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
      const result = await bridge.run(command, key === undefined ? {} : { idempotencyKey: key });
      answers.push(result.kind === 'operation' ? result.operation : undefined);
    }
    await vi.waitFor(() => expect(unsettled(store)).toEqual([]), { timeout: 20_000 });
    await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);

    expect(struck).toBe(true);
    const { applications, standing } = traced(directory.path);
    expect(new Set(applications).size, 'one command is applied once').toBe(applications.length);
    for (const { id, state } of store.kept.values()) {
      if (state === 'void') expect(standing, 'void is not applied').not.toContain(id);
      if (state === 'applied') expect(applications).toContain(id);
    }
    const [first, , , again] = answers;
    if (first !== undefined && again !== undefined) expect(again.id, 'one key is one command').toBe(first.id);
    await bridge.stop();
  },
);

function unsettled(store: MemoryStore): string[] {
  return [...store.kept.values()].filter((kept) => !isFinal(kept)).map(({ id }) => id);
}

function act(fault: Fault, pid: number, clock: ManualClock): 'pass' | 'drop' {
  switch (fault) {
    case 'kill':
      process.kill(pid, 'SIGKILL');
      return 'drop';
    case 'kill after it passed':
      queueMicrotask(() => process.kill(pid, 'SIGKILL'));
      return 'pass';
    case 'stop past every deadline':
      return stopFor(pid, () => clock.advance(70_000));
    case 'stop past the claim deadline':
      return stopFor(pid, () => clock.advance(5_000));
    case 'stop and go on':
      return stopFor(pid, () => {});
  }
}

function stopFor(pid: number, meanwhile: () => void): 'pass' {
  process.kill(pid, 'SIGSTOP');
  // After the message has passed: the game finds it when it wakes.
  setImmediate(() => {
    meanwhile();
    process.kill(pid, 'SIGCONT');
  });
  return 'pass';
}
