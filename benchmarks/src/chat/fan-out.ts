import { type Comparison, interleave } from '../comparison.ts';
import { Broadcast } from './broadcast.ts';
import { type Delivery, deliveries } from './delivery.ts';
import { idleMemory } from './many-clients.ts';

const clients = 1_000;
const floods = 7;
const floodMessages = 200;

/** Half of them with the clients of one connected first, half with those of the other: that makes a difference of its own. */
const rounds = { sockets: 120, streams: 60 };

const beside = 'bare ws';

/** Chat to a thousand clients: how much at the most, and how long a message takes. */
export async function fanOut(): Promise<readonly Comparison[]> {
  // Both stay up all the time, so that the measurements lie close together.
  const bare = await Broadcast.start('bare', clients);
  const relay = await Broadcast.start('relay', clients);
  const delivered = await deliveries(bare, relay, rounds.sockets / 2);
  const flooded = await interleave(floods, {
    limit: () => bare.flood(floodMessages),
    ours: () => relay.flood(floodMessages),
  });
  await bare.stop();
  await relay.stop();
  const relayFirst = await Broadcast.start('relay', clients);
  const bareSecond = await Broadcast.start('bare', clients);
  const turned = await deliveries(bareSecond, relayFirst, rounds.sockets / 2);
  await bareSecond.stop();
  await relayFirst.stop();
  const both = {
    ours: [...delivered.ours, ...turned.ours],
    limit: [...delivered.limit, ...turned.limit],
  };
  const compare = (value: (one: Delivery) => number) => ({
    unit: 'ms',
    ours: both.ours.map(value),
    limit: both.limit.map(value),
    beside,
    atMost: 1,
  });
  return [
    {
      figure: `chat to ${clients} clients, saturated`,
      unit: 'msg/s',
      ours: flooded.ours.map(({ perSecond }) => perSecond),
      limit: flooded.limit.map(({ perSecond }) => perSecond),
      beside,
      atLeast: 1.15,
    },
    // Says the same on a machine that does other work beside.
    {
      figure: `chat to ${clients} clients, by a second of CPU`,
      unit: 'msg',
      ours: flooded.ours.map(({ perCpuSecond }) => perCpuSecond),
      limit: flooded.limit.map(({ perCpuSecond }) => perCpuSecond),
      beside,
      atLeast: 1.15,
    },
    { figure: `a message to ${clients} clients, p99`, ...compare(({ p99Ms }) => p99Ms) },
    { figure: `a message to ${clients} clients, median`, ...compare(({ medianMs }) => medianMs) },
    { figure: `a message to ${clients} clients, CPU`, ...compare(({ cpuMs }) => cpuMs) },
  ];
}

/** What happens, told to as many streams as sockets, beside the same number of listeners that are all sockets. */
export async function streams(): Promise<readonly Comparison[]> {
  const sockets = await Broadcast.start('relay', 2 * clients);
  const both = await Broadcast.start('relay', clients, clients);
  const first = await deliveries(sockets, both, rounds.streams / 2);
  await sockets.stop();
  await both.stop();
  const bothFirst = await Broadcast.start('relay', clients, clients);
  const socketsSecond = await Broadcast.start('relay', 2 * clients);
  const turned = await deliveries(socketsSecond, bothFirst, rounds.streams / 2);
  await socketsSecond.stop();
  await bothFirst.stop();
  const compare = (value: (one: Delivery) => number) => ({
    unit: 'ms',
    ours: [...first.ours, ...turned.ours].map(value),
    limit: [...first.limit, ...turned.limit].map(value),
    beside: `${2 * clients} sockets`,
  });
  const told = `a message to ${clients} streams and ${clients} sockets`;
  return [
    { figure: `${told}, p99`, ...compare(({ p99Ms }) => p99Ms), atMost: 1.3 },
    { figure: `${told}, median`, ...compare(({ medianMs }) => medianMs) },
    { figure: `${told}, CPU`, ...compare(({ cpuMs }) => cpuMs) },
    ...(await idleMemory('a stream', 'stream')),
  ];
}
