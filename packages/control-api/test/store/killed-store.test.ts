import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { parseCursor } from '../../src/game/state/event-log.ts';
import { openedStore } from './opened-store.ts';

/** What was told in the last moments may be missing after a kill: some milliseconds, and more where the machine has much else to do. */
const lossMs = 2_000;

interface ToldLine {
  readonly id: number;
  readonly cursor: string;
  readonly at: number;
  /** How many its process knew to be kept by then. */
  readonly known: number;
}

function telling(directory: string, first: number): Program {
  const args = [directory, toldPath(directory, first), String(first)];
  return new Program('packages/control-api/test/store/telling.ts', args);
}

function toldPath(directory: string, first: number): string {
  return join(directory, `told-from-${first}`);
}

/** What a process told; it has told at least one. */
function toldFrom(directory: string, first: number) {
  const lines = readFileSync(toldPath(directory, first), 'utf8').trimEnd().split('\n');
  const told = lines.map((line): ToldLine => {
    const [id, cursor = '', at, known] = line.split(' ');
    return { id: Number(id), cursor, at: Number(at), known: Number(known) };
  });
  const [start] = told;
  const last = told.at(-1);
  if (start === undefined || last === undefined) throw new Error('nothing was told');
  return { told, start, last };
}

async function read(directory: string, cursor: string) {
  const { store, events: log } = openedStore(directory);
  const parsed = parseCursor(cursor);
  if (!parsed.ok) throw new Error(parsed.reason);
  const reading = await log.after(parsed.value);
  await store.close();
  return reading;
}

it('gives no cursor twice and keeps what it told, killed at any moment; what is missing is a gap', {
  timeout: 3_600_000,
}, async () => {
  using directory = temporaryDirectory();
  const random = seededRandom(seed);
  const cursors = new Set<string>();
  let first = 0;
  const kills = count({ small: 3, long: 200 });
  for (let killed = 0; killed <= kills; killed += 1) {
    await using program = telling(directory.path, first);
    // Last not at any moment, but once it is known to be kept: nothing of it may be missing then.
    const isAllKept = killed === kills;
    if (isAllKept) await program.line(/^kept$/);
    else await program.line(/./, { number: 1 + Math.floor(random() * 40) });
    program.kill('SIGKILL');
    await program.exited;
    const { told, start, last } = toldFrom(directory.path, first);
    for (const { cursor } of told) {
      expect(cursors.has(cursor)).toBe(false);
      cursors.add(cursor);
    }
    first = last.id + 1;
    const { events, gap } = await read(directory.path, start.cursor);
    const kept = events.map(({ event }) => event.id);
    expect(kept).toEqual(kept.map((_, index) => start.id + 1 + index));
    expect(gap).toBe(true);
    const lost = told.filter(({ id }) => id > (kept.at(-1) ?? start.id));
    expect(last.at - (lost[0]?.at ?? last.at)).toBeLessThan(lossMs);
    // The first is where they are read from.
    expect(1 + kept.length).toBeGreaterThanOrEqual(last.known);
    if (isAllKept) expect(lost).toEqual([]);
  }
});

it('stopped in order it keeps every event, and the next process goes on with the next number', async () => {
  using directory = temporaryDirectory();
  await using program = telling(directory.path, 0);
  await program.line(/^500$/);
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
  const { told, start, last } = toldFrom(directory.path, 0);
  const { events, gap } = await read(directory.path, start.cursor);
  expect(gap).toBe(false);
  expect(events.map(({ cursor }) => cursor)).toEqual(told.slice(1).map(({ cursor }) => cursor));

  await using next = telling(directory.path, last.id + 1);
  await next.line(/./);
  const numberOf = (cursor: string) => Number(cursor.split('-')[1]);
  const { start: then } = toldFrom(directory.path, last.id + 1);
  expect(numberOf(then.cursor)).toBe(numberOf(last.cursor) + 1);
});

it('has each operation in the state that it was said to be kept in, or a later one, killed at any moment', async () => {
  const random = seededRandom(seed);
  for (let killed = 0; killed < count({ small: 2, long: 100 }); killed += 1) {
    using directory = temporaryDirectory();
    const told = join(directory.path, 'told');
    await using program = new Program('packages/control-api/test/store/claiming.ts', [directory.path, told]);
    await program.line(/./, { number: 1 + Math.floor(random() * 60) });
    program.kill('SIGKILL');
    await program.exited;
    const { store } = openedStore(directory.path);
    const found = new Map((await store.operations().load()).map(({ id, state }) => [id, state]));
    await store.close();
    const lines = readFileSync(told, 'utf8').trimEnd().split('\n');
    for (const [id = '', state] of lines.map((line) => line.split(' ')))
      expect([id, state === 'claimed' ? ['claimed', 'void'] : ['void']]).toEqual([
        id,
        expect.arrayContaining([found.get(id)]),
      ]);
  }
});
