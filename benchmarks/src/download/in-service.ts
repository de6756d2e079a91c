import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Places } from '@steward/platform-auth/download/names/places';
import { quantile } from '@steward/testing/quantile';
import { shipped } from '@steward/tools/bundle/bundle';
import { childrenOf, peakMb, residentMb } from '../memory.ts';
import { freePort } from '../start/started.ts';
import { Child } from './child.ts';
import type { Measured } from './measured.ts';
import type { Served } from './serve-depots.ts';

/** A process that ends between two looks has been at its most before. */
const lookMs = 20;
/** By then what a download has needed is given back. */
const afterwardsMs = 120_000;

export interface ServiceMeasured {
  /** The most of the service, and the most of each process that it started, together. */
  readonly peakMb: number;
  readonly loopDelayP99Ms: number;
  readonly healthP99Ms: number;
  /** Two minutes after the download. */
  readonly afterwardsMb: number;
  /** Of a service that found the files whole, as long after its start. */
  readonly idleMb: number;
}

/** The service while it downloads what is missing, seen from outside, and afterwards; then another, which has nothing to download. */
export async function inService(served: Served, waitMs = afterwardsMs): Promise<ServiceMeasured> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-service-'));
  try {
    // From the sources Node would hold, in each process, what strips their types.
    using ours = await shipped('platform-auth', {
      service: fileURLToPath(import.meta.resolve('./service.ts')),
    });
    const program = ours.program('service');
    const { afterwardsMb, ...during } = await run(program, served, directory, waitMs);
    const { afterwardsMb: idleMb } = await run(program, served, directory, waitMs);
    return { ...during, afterwardsMb, idleMb };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function run(program: string, served: Served, directory: string, waitMs: number) {
  const port = await freePort();
  const env = { NODE_EXTRA_CA_CERTS: served.caFile, DIRECTORY: directory, PORT: String(port) };
  const child = new Child(program, env);
  try {
    const watch = new Watch(
      child.pid,
      `http://127.0.0.1:${port}/health`,
      new Places(join(directory, 'game')),
    );
    const { loopDelayP99Ms } = await child.ask<Measured>(served);
    await watch.stop();
    await pause(waitMs);
    const afterwardsMb = residentMb(child.pid);
    const healthP99Ms = quantile(watch.healthMs, 0.99);
    const { peakMb: mostMb } = watch;
    console.error(
      `service: ${Math.round(mostMb)} MB, afterwards ${Math.round(afterwardsMb)} MB, loop ${loopDelayP99Ms.toFixed(1)} ms, /health ${healthP99Ms.toFixed(1)} ms`,
    );
    return { peakMb: mostMb, afterwardsMb, loopDelayP99Ms, healthP99Ms };
  } finally {
    await child.stop();
  }
}

/** Looks at the processes all the time, and asks /health while there is a download: logging in comes before it. */
class Watch {
  readonly healthMs: number[] = [];
  readonly #peaks = new Map<number, number>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #watching: Promise<void>;
  #stopped = false;

  constructor(pid: number, url: string, places: Places) {
    this.#watching = this.#watch(pid, url, places);
  }

  get peakMb(): number {
    return [...this.#peaks.values()].reduce((total, mb) => total + mb, 0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#watching;
    this.#agent.destroy();
  }

  async #watch(pid: number, url: string, places: Places): Promise<void> {
    while (!this.#stopped) {
      for (const each of [pid, ...childrenOf(pid)]) this.#look(each);
      const began = performance.now();
      if (existsSync(places.stage) && (await answers(url, this.#agent)))
        this.healthMs.push(performance.now() - began);
      await pause(lookMs);
    }
  }

  #look(pid: number): void {
    try {
      const mb = peakMb(pid);
      // What is ending has no memory any more.
      if (mb > 0) this.#peaks.set(pid, mb);
    } catch {
      // It has just ended.
    }
  }
}

/** False while nothing listens yet. */
function answers(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}
