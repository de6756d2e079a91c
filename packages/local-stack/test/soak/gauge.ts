import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** A process as it is from within, just after its rubbish was collected. */
export interface GaugeReading {
  readonly pid: number;
  readonly rss: number;
  /** Of the heap, and outside it in buffers. */
  readonly heap: number;
  /** The most processor time that its event loop took in one go since the last reading. */
  readonly turnMs: number;
}

export interface Weight extends GaugeReading {
  /** Open file descriptors; undefined where the system has no /proc. */
  readonly handles: number | undefined;
}

const patienceMs = 3_000;

/** The other end of what is loaded into each process. */
export class Gauge {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Undefined while nobody answers. */
  async weigh(): Promise<Weight | undefined> {
    const reading = (await this.order('weigh')) as GaugeReading | undefined;
    return reading === undefined ? undefined : { ...reading, handles: handlesOf(reading.pid) };
  }

  order(name: string, value = 0): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const socket = connect(this.path);
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    socket.once('error', () => resolve(undefined)).once('close', () => resolve(undefined));
    createInterface({ input: socket })
      .once('line', (line) => resolve(JSON.parse(line)))
      .once('error', () => resolve(undefined));
    socket.write(`${name} ${value}\n`);
    return promise.finally(() => {
      clearTimeout(timer);
      socket.destroy();
    });
  }
}

function handlesOf(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}
