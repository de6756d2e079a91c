import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '@steward/testing/quantile';
import { count } from '@steward/testing/scale';
import type { Comparison } from '../comparison.ts';
import { proportionalMb, residentMb } from '../memory.ts';
import { Bare } from '../start/bare.ts';
import { cpuOf, withFarms } from './farms-together.ts';
import type { Service, Stack } from './stack.ts';

/** `SCALE=long npm run bench -- fleet` is the fleet that docs/many-farms.md tells of. */
const stacks = count({ small: 4, long: 50 });
const idleMs = count({ small: 10_000, long: 60_000 });
const rounds = 3;
const readsOfEach = 100;

const settledMs = 10_000;
const bytesPerKb = 1e3;
const bytesPerMb = 1e6;
const msPerSecond = 1_000;
const msPerMinute = 60_000;
const microsecondsPerMs = 1_000;

/** What the sizing of docs/many-farms.md leaves for a farm beside its game. */
const memoryBarMb = 250;
/** 200 farms at rest take no more than two of the cores that their games need. */
const idleBarSeconds = 0.6;

/** Whole farms beside each other on one machine: what each takes when nothing goes on, and what looking at all of them costs. */
export async function fleet(): Promise<readonly Comparison[]> {
  const bare = await Bare.measured();
  return await withFarms(stacks, async ({ all, start }) => {
    const began = performance.now();
    await start(stacks);
    const startedMs = performance.now() - began;
    const startCpuMs = all.map(({ services }) => cpuOf(services));
    await pause(settledMs);
    const used = await idle(all);
    return [
      figure('started at once, until players can join all', 's', [startedMs / msPerSecond]),
      figure(
        'processor time until then, a farm',
        's',
        startCpuMs.map((ms) => ms / msPerSecond),
      ),
      ...memory(all, bare),
      figure(
        'kept on the disk at first, a farm',
        'MB',
        all.map(({ directory }) => bytesBelow(directory) / bytesPerMb),
      ),
      ...atRest(used, bare),
      ...(await scrapes(all, used)),
      ...(await reads(all, used)),
    ];
  });
}

function figure(what: string, unit: string, ours: readonly number[]): Comparison {
  return { figure: `${stacks} farms: ${what}`, unit, ours };
}

function memory(all: readonly Stack[], bare: Bare): readonly Comparison[] {
  const each = (what: (stack: Stack) => number) => all.map(what);
  return [
    bare.beside(
      figure(
        'memory of the machine, a farm',
        'MB',
        each(({ services }) => sum(services.map(({ pid }) => proportionalMb(pid)))),
      ),
      'idleMb',
      memoryBarMb,
    ),
    figure(
      'resident, its control-api',
      'MB',
      each(({ api }) => residentMb(api.pid)),
    ),
    figure(
      'resident, its platform-auth',
      'MB',
      each(({ sidecar }) => residentMb(sidecar.pid)),
    ),
  ];
}

/** Processor seconds of a minute, of one farm's services. */
interface Used {
  readonly api: number;
  readonly sidecar: number;
}

/** Logged in, with a lobby and a game that ticks, and nobody there: each round. */
async function idle(all: readonly Stack[]): Promise<readonly Used[]> {
  const apis = all.map(({ api }) => api);
  const sidecars = all.map(({ sidecar }) => sidecar);
  const used: Used[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const [api, sidecar] = [cpuOf(apis), cpuOf(sidecars)];
    await pause(idleMs);
    const ofAll = (msPerSecond * all.length * (performance.now() - began)) / msPerMinute;
    used.push({ api: (cpuOf(apis) - api) / ofAll, sidecar: (cpuOf(sidecars) - sidecar) / ofAll });
  }
  return used;
}

function atRest(used: readonly Used[], bare: Bare): readonly Comparison[] {
  const seconds = (what: string, value: (one: Used) => number) =>
    figure(`processor time of an idle minute, ${what}`, 's', used.map(value));
  return [
    bare.beside(
      seconds('a farm', ({ api, sidecar }) => api + sidecar),
      'startCpuMs',
      idleBarSeconds,
    ),
    seconds('its control-api', ({ api }) => api),
    seconds('its platform-auth', ({ sidecar }) => sidecar),
  ];
}

/** As one Prometheus would, one target after the other. */
async function scrapes(all: readonly Stack[], used: readonly Used[]): Promise<readonly Comparison[]> {
  const services = all.flatMap((stack) => stack.services);
  const rates: number[] = [];
  const costs: number[] = [];
  const bytes: number[] = [];
  const series: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const { cpuMs, result } = await workedFor(all, used, async () => {
      const texts: string[] = [];
      for (const service of services) texts.push(await body(service, '/metrics'));
      return texts;
    });
    rates.push(services.length / ((performance.now() - began) / msPerSecond));
    costs.push(cpuMs / services.length);
    bytes.push(sum(result.map((text) => Buffer.byteLength(text))) / all.length / bytesPerKb);
    series.push(sum(result.map(seriesIn)) / all.length);
  }
  return [
    figure('scrapes, one after the other', 'scrapes/s', rates),
    figure('processor time of a scrape', 'ms', costs),
    figure('both scrapes of a farm', 'KB', bytes),
    figure('series in them', 'series', series),
  ];
}

/** Somebody asks every farm how it is, all at once, again and again. */
async function reads(all: readonly Stack[], used: readonly Used[]): Promise<readonly Comparison[]> {
  const rates: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const { cpuMs } = await workedFor(all, used, async () => {
      for (let read = 0; read < readsOfEach; read += 1)
        await Promise.all(all.map(({ api }) => body(api, '/status')));
    });
    const requests = readsOfEach * all.length;
    rates.push(requests / ((performance.now() - began) / msPerSecond));
    costs.push((cpuMs * microsecondsPerMs) / requests);
  }
  return [
    figure('GET /status of all, again and again', 'req/s', rates),
    figure('processor time of such a request', 'µs', costs),
  ];
}

/** What Prometheus keeps of a scrape: each line that is no comment. */
function seriesIn(text: string): number {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
}

async function body({ origin }: Service, path: string): Promise<string> {
  const answer = await fetch(`${origin}${path}`);
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return answer.text();
}

/** Processor time that this took above what the farms take at rest: with many of them that is the greater part. */
async function workedFor<T>(all: readonly Stack[], used: readonly Used[], work: () => Promise<T>) {
  const services = all.flatMap((stack) => stack.services);
  const idleSeconds = median(used.map(({ api, sidecar }) => api + sidecar)) * all.length;
  const began = performance.now();
  const before = cpuOf(services);
  const result = await work();
  const restMs = (idleSeconds * msPerSecond * (performance.now() - began)) / msPerMinute;
  return { cpuMs: cpuOf(services) - before - restMs, result };
}

/** What the disk gives for it: a file takes whole blocks. */
function bytesBelow(directory: string): number {
  const blockBytes = 512;
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return sum(entries.map((entry) => statSync(join(directory, entry)).blocks * blockBytes));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
