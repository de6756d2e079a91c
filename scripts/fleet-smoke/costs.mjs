import { setTimeout as pause } from 'node:timers/promises';
import { joinable } from '../docker-smoke/demo.mjs';
import { say } from '../docker-smoke/engine.mjs';
import { freePort } from '../docker-smoke/free-port.mjs';
import { askEngine } from './engine-api.mjs';
import { parts } from './farm.mjs';

// A farm at rest looks around every minute at the most.
const measuredMs = 120_000;
const megabyte = 1_000_000;

/** The names of so many farms beside those that are there. */
export function more(count) {
  return Array.from({ length: count }, (_, index) => `more-${index + 1}`);
}

/** Brings more farms up. */
export async function grow(fleet, names) {
  const count = fleet.farms.length + names.length;
  for (const name of names) {
    const settings = {
      API_PORT: await freePort(),
      DASHBOARD_PORT: await freePort(),
      PLATFORM_LOGIN_SPREAD: String(10 * count),
      // The platform takes fifteen passwords from one address, and then none for half an hour.
      PLATFORM_REFRESH_TOKEN: fleet.tokenOf(name),
    };
    await fleet.add(name, { like: 'hazel', settings });
  }
  const withinMs = 10_000 * count + 180_000;
  for (const { api } of fleet.farms) await joinable(api, withinMs);
  say(`players can join all ${count} farms`);
}

/** A table of what each container of a farm takes while nobody is there, and what a farm has on the disk. */
export async function costs(fleet) {
  const containers = fleet.farms.flatMap((farm) => parts.map((part) => ({ part, id: farm.container(part) })));
  const before = await Promise.all(containers.map(measure));
  await pause(measuredMs);
  const after = await Promise.all(containers.map(measure));
  const rows = parts.map((part) => {
    const those = containers.flatMap((container, index) => (container.part === part ? [index] : []));
    const cpu = those.map(
      (index) => (100 * (after[index].cpuNs - before[index].cpuNs)) / (after[index].ns - before[index].ns),
    );
    return [`\`${part}\``, range(those.map((index) => after[index].memory / megabyte)), range(cpu, 2)];
  });
  const disks = await disk(fleet);
  const lines = [
    `| Of ${fleet.farms.length} farms, each | Memory, MB | Of one processor, % |`,
    '| --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `On the disk: ${range(disks)} MB a farm in its volumes.`,
  ];
  say(`over ${measuredMs / 1000} s, the smallest, the median and the largest:\n${lines.join('\n')}`);
}

/** Of this container alone, as its cgroup counts: what else the machine does is not in it. */
async function measure({ id }) {
  const {
    cpu_stats: cpu,
    memory_stats: memory,
    read,
  } = await askEngine(`/containers/${id}/stats?stream=false&one-shot=true`);
  const { total_inactive_file: first, inactive_file: second } = memory.stats;
  // As `docker stats` has it: without files that can be dropped.
  return {
    cpuNs: cpu.cpu_usage.total_usage,
    ns: Date.parse(read) * 1e6,
    memory: memory.usage - (first ?? second ?? 0),
  };
}

async function disk(fleet) {
  const { Volumes: volumes } = await askEngine('/system/df');
  return fleet.farms.map(({ name }) =>
    volumes
      .filter(({ Labels: labels }) => labels?.['com.docker.compose.project'] === name)
      .reduce((sum, { UsageData: { Size: size } }) => sum + size / megabyte, 0),
  );
}

function range(numbers, digits = 0) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [least, middle, most] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  return [least, middle, most].map((number) => number.toFixed(digits)).join(' / ');
}
