import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that systems give to connections and to whoever asks for port 0: among hundreds of tests one of these would have
 * it before the process that it was found for. Each worker has ports of its own, and goes through them: what one has just been
 * told of, and has not opened yet, no other is told of.
 */
const range = { from: 20_000, to: 32_000 } as const;
const mostWorkers = 12;
const ports = (range.to - range.from) / mostWorkers;

const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % mostWorkers;
// Two runs at once have the same workers.
let next = randomInt(ports);

/** A port that a process can be given now, and again when it is started anew. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.from + worker * ports + next;
    next = (next + 1) % ports;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
