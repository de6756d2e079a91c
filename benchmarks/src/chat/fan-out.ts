import { type Comparison, interleave } from '../comparison.ts';
import { Broadcast } from './broadcast.ts';

const clients = 1_000;
const floods = 9;
const floodMessages = 200;

/** Rounds of the easy pace, twice: enough that the median of their ratios is steady though one round's p99 is not. */
const rounds = 6;
const messages = 40;

/** The pace leaves this many times as long as the bare server needs at this hour: what is measured is no queue. */
const ease = 4;
const shortestMs = 20;
/** A machine that needs more is too busy for the figure to mean much, and would measure for an hour. */
const longestMs = 100;

/** Chat to a thousand clients: how much at the most, and how long a message takes at an easy pace. */
export async function fanOut(): Promise<readonly Comparison[]> {
  // Both stay up all the time, so that the measurements lie close together.
  const bare = await Broadcast.start('bare', clients);
  const relay = await Broadcast.start('relay', clients);
  const { delaysMs } = await bare.pace(messages, longestMs);
  const needed = Math.ceil(ease * quantile(delaysMs, 0.9));
  const everyMs = Math.min(longestMs, Math.max(shortestMs, needed));
  const paced = await atPace(bare, relay, everyMs);
  const flooded = await interleave(floods, {
    limit: () => bare.flood(floodMessages),
    ours: () => relay.flood(floodMessages),
  });
  await bare.stop();
  await relay.stop();
  // Whose clients were connected first makes a difference of its own: the other half has it the other way round.
  const relayFirst = await Broadcast.start('relay', clients);
  const bareSecond = await Broadcast.start('bare', clients);
  const turned = await atPace(bareSecond, relayFirst, everyMs);
  await bareSecond.stop();
  await relayFirst.stop();
  paced.ours.push(...turned.ours);
  paced.limit.push(...turned.limit);
  const easy = `chat to ${clients} clients, every ${everyMs} ms`;
  return [
    {
      figure: `chat to ${clients} clients, saturated`,
      unit: 'msg/s',
      ours: flooded.ours.map(({ perSecond }) => perSecond),
      limit: flooded.limit.map(({ perSecond }) => perSecond),
      atLeast: 1.15,
    },
    // Says the same on a machine that does other work beside.
    {
      figure: `chat to ${clients} clients, by a second of CPU`,
      unit: 'msg',
      ours: flooded.ours.map(({ perCpuSecond }) => perCpuSecond),
      limit: flooded.limit.map(({ perCpuSecond }) => perCpuSecond),
      atLeast: 1.15,
    },
    { figure: `${easy}, p99`, unit: 'ms', ...each(paced, ({ p99Ms }) => p99Ms), atMost: 1 },
    { figure: `${easy}, median`, unit: 'ms', ...each(paced, ({ medianMs }) => medianMs), atMost: 1 },
    { figure: `${easy}, CPU by message`, unit: 'ms', ...each(paced, ({ cpuMs }) => cpuMs), atMost: 1 },
  ];
}

interface Round {
  readonly p99Ms: number;
  readonly medianMs: number;
  readonly cpuMs: number;
}

/** Each round in the order bare, relay, relay, bare: what drifts falls on both alike. */
async function atPace(bare: Broadcast, relay: Broadcast, everyMs: number) {
  const paced = { ours: [] as Round[], limit: [] as Round[] };
  for (let round = 0; round < rounds; round += 1) {
    const first = await bare.pace(messages, everyMs);
    const ours = [await relay.pace(messages, everyMs), await relay.pace(messages, everyMs)];
    paced.ours.push(roundOf(ours));
    paced.limit.push(roundOf([first, await bare.pace(messages, everyMs)]));
  }
  return paced;
}

function roundOf(parts: readonly Awaited<ReturnType<Broadcast['pace']>>[]): Round {
  const delays = parts.flatMap(({ delaysMs }) => delaysMs);
  return {
    p99Ms: quantile(delays, 0.99),
    medianMs: quantile(delays, 0.5),
    cpuMs: parts.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / parts.length,
  };
}

function each(paced: { ours: Round[]; limit: Round[] }, value: (round: Round) => number) {
  return { ours: paced.ours.map(value), limit: paced.limit.map(value) };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
