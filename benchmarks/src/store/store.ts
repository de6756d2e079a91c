import { statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseName } from '@steward/control-api/store/store';
import { sampleWriter } from '@steward/control-api/store/tables/samples';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { shipped } from '@steward/tools/bundle/bundle';
import type { Comparison } from '../comparison.ts';
import { load } from '../http/load.ts';
import { startControlApi } from '../server-process.ts';
import { Bare } from '../start/bare.ts';
import { fillDatabase } from './fill-database.ts';
import { manyEvents } from './many-events.ts';
import { slowDisk } from './slow-disk.ts';

/** What is kept: what a slow disk, a million events and a year of samples make of the service. */
export async function store(): Promise<readonly Comparison[]> {
  return [...(await slowDisk()), ...(await manyEvents()), ...(await yearOfSamples())];
}

const days = 400;
const rounds = 7;
const measuredMs = 1_000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const bytesOfMb = 1_000_000;
const answerBarMs = 30;

/** Stretches of time as a plot asks for them. */
const questions = [
  { name: 'a week', days: 7, step: '' },
  { name: 'a week by the minute', days: 7, step: '&step=minute' },
  { name: `${days} days by the hour`, days, step: '&step=hour' },
];

async function yearOfSamples(): Promise<readonly Comparison[]> {
  using directory = temporaryDirectory();
  const now = Date.now();
  fillSamples(directory.path, Math.floor(now / minuteMs));
  const { size } = statSync(join(directory.path, databaseName));
  const bare = await Bare.measured();
  using api = await shipped('control-api');
  const server = await startControlApi(api.main, directory.path);
  for (const question of questions) await hasSamples(`${server.origin}${pathOf(question, now)}`);
  const medians = questions.map(() => [] as number[]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, question] of questions.entries()) {
      const { medianMs } = await load(
        server.origin,
        { path: pathOf(question, now) },
        { connections: 1, ms: measuredMs },
      );
      medians[index]?.push(medianMs);
    }
  }
  await server.stop();
  return [
    { figure: `${days} days of samples on the disk`, unit: 'MB', ours: [size / bytesOfMb], bar: 20 },
    ...questions.map(({ name }, index) =>
      bare.beside(
        { figure: `GET /samples of ${name}, median`, unit: 'ms', ours: medians[index] ?? [] },
        'startCpuMs',
        answerBarMs,
      ),
    ),
  ];
}

function pathOf(question: (typeof questions)[number], now: number): string {
  return `/samples?from=${new Date(now - question.days * dayMs).toISOString()}${question.step}`;
}

const fewestPoints = 7 * 24;

/** Nothing is known of the minutes that have passed meanwhile. */
const minutesUnknown = 2;

async function hasSamples(url: string): Promise<void> {
  const { players } = (await (await fetch(url)).json()) as { players: unknown[] };
  const unknown = players.filter((value) => value === null).length;
  if (players.length < fewestPoints || unknown > minutesUnknown) throw new Error(`${url} tells nothing`);
}

/** A sample of every minute until then, of a farm with players who come and go. */
function fillSamples(directory: string, before: number): void {
  fillDatabase(directory, (database) => {
    const writer = sampleWriter(database);
    for (let minute = before - (days * dayMs) / minuteMs; minute < before; minute += 1)
      writer.keep({
        kind: 'sample',
        minute,
        players: Math.floor(minute / 97) % 5,
        ticks: 5_900 + (minute % 113),
        tickGapMs: 1_000 + ((minute * 31) % 300),
        bridgeLatencyMs: 12 + ((minute * 17) % 90),
        serviceMemoryMb: 88 + (Math.floor(minute / 500) % 20),
        gameMemoryMb: 700 + (Math.floor(minute / 11) % 900),
      });
  });
}
