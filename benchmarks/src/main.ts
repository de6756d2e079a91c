import { cpus } from 'node:os';
import { fanOut } from './chat/fan-out.ts';
import { held } from './chat/held.ts';
import { storm } from './chat/storm.ts';
import type { Comparison } from './comparison.ts';
import { missed, row, tableHead } from './comparison.ts';
import { download } from './download/download.ts';
import { health } from './http/health.ts';
import { start } from './start/start.ts';
import { status } from './status/status.ts';

const benchmarks: Readonly<Record<string, () => Promise<readonly Comparison[]>>> = {
  start,
  health,
  status,
  'chat-fan-out': fanOut,
  'chat-held': held,
  'chat-storm': storm,
  download,
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(
    `there is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}`,
  );
  process.exit(2);
}

console.log(
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}\n\n${tableHead}`,
);
const failures: string[] = [];
for (const [name, measure] of Object.entries(benchmarks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const comparison of await measure()) {
    console.log(row(comparison));
    const failure = missed(comparison);
    if (failure !== undefined) failures.push(failure);
  }
}
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exitCode = 1;
}
