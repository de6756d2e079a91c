import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';
import { collector } from '@steward/service-kit/process/collector';
import { fillDatabases, fillDisk } from '@steward/testing/full-disk';
import type { GaugeReading } from '../gauge.ts';
import { endWriter, mayEnd } from './dying-writer.ts';
import { leak } from './leaks.ts';
import { moveClock } from './moved-clock.ts';
import { LongestTurn } from './turns.ts';

// Loaded before a program's own code: it is weighed from within, its wall clock moved, its disk filled, on orders over a socket.
const path = process.env['GAUGE'];
if (isMainThread && path !== undefined) {
  moveClock(Number(process.env['CLOCK_OFFSET_MS'] ?? 0));
  leak(process.env['LEAK']);
  serveGauge(path);
}
if (!isMainThread) {
  fillDatabases();
  mayEnd();
}

function serveGauge(path: string): void {
  const collect = collector();
  const turns = new LongestTurn();
  const weigh = (): GaugeReading => {
    const turnMs = turns.take();
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    turns.take();
    return { pid: process.pid, rss, heap: heapUsed + external, turnMs };
  };
  const orders: Readonly<Record<string, (value: number) => unknown>> = {
    weigh,
    clock: (offsetMs) => moveClock(offsetMs),
    disk: (full) => fillDisk(full === 1),
    writer: (when) => endWriter(when),
  };
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    // Whoever weighs has its patience, and `readline` says once more what became of the socket.
    const lines = createInterface({ input: socket.on('error', () => socket.destroy()) });
    lines.on('error', () => socket.destroy());
    lines.on('line', (line) => {
      const [order = '', value = '0'] = line.split(' ');
      socket.end(`${JSON.stringify(orders[order]?.(Number(value)) ?? null)}\n`);
    });
  });
  // A program that has ended for itself is not held up by being weighed.
  server.listen(path).unref();
}
