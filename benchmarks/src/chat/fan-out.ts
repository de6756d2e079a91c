import { type Comparison, interleave } from '../comparison.ts';
import { Broadcast } from './broadcast.ts';
import { type Delivery, deliveries } from './delivery.ts';

const clients = 1_000;
const floods = 7;
const floodMessages = 200;

/** Half of them with the relay's clients connected first, which makes a difference of its own. */
const rounds = 120;

const beside = 'bare ws';

/** Chat to a thousand clients: how much at the most, and how long a message takes. */
export async function fanOut(): Promise<readonly Comparison[]> {
  // Both stay up all the time, so that the measurements lie close together.
  const bare = await Broadcast.start('bare', clients);
  const relay = await Broadcast.start('relay', clients);
  const delivered = await deliveries(bare, relay, rounds / 2);
  const flooded = await interleave(floods, {
    limit: () => bare.flood(floodMessages),
    ours: () => relay.flood(floodMessages),
  });
  await bare.stop();
  await relay.stop();
  const relayFirst = await Broadcast.start('relay', clients);
  const bareSecond = await Broadcast.start('bare', clients);
  const turned = await deliveries(bareSecond, relayFirst, rounds / 2);
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
