import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certifiedHosts } from '@steward/platform-emulator/transport/addresses';
import { type Certificates, mintCertificates } from '@steward/platform-emulator/transport/certificates';
import { Program } from '@steward/testing/program';
import { z } from 'zod';
import type { PlatformRun } from './platform-run.ts';
import { started } from './started.ts';
import { Ward } from './ward.ts';

export const account = { name: 'host', password: 'pass-of-host' };

/** More lobbies than one life of the platform sees. */
const lobbiesOfALife = 1_000_000;

const ready = /^\{.*\}$/;

const howToReach = z.object({ orders: z.string(), ticketKey: z.string() });

const lobbies = z.array(z.object({ id: z.string(), type: z.int(), gameServerId: z.string() }));

export type ListedLobby = z.infer<typeof lobbies>[number];

type ChosenRun = Pick<PlatformRun, 'seed' | 'ticketPauseMs' | 'renewal'>;

/** The emulated platform in a process of its own: the same one after each start, certificates and tokens included. */
export class PlatformWard extends Ward {
  readonly proxyUrl: string;
  readonly caFile: string;
  #orders = '';
  #ticketKey = '';

  static async create(directory: string, proxyPort: number, run: ChosenRun): Promise<PlatformWard> {
    return new PlatformWard(directory, proxyPort, run, await mintCertificates(certifiedHosts));
  }

  private constructor(directory: string, proxyPort: number, run: ChosenRun, certificates: Certificates) {
    let lives = 0;
    super('platform', async () => {
      lives += 1;
      const file = join(directory, 'platform.json');
      const continuing = { certificates, proxyPort, lobbies: lives * lobbiesOfALife };
      const told: PlatformRun = { ...run, account: account.name, password: account.password, continuing };
      writeFileSync(file, JSON.stringify(told));
      const program = new Program('packages/local-stack/test/chaos/entries/platform.ts', [file], {
        TMPDIR: directory,
      });
      await started(program, ready);
      const [line] = await program.line(ready);
      const { orders, ticketKey } = howToReach.parse(JSON.parse(line));
      this.#orders = orders;
      this.#ticketKey = ticketKey;
      return program;
    });
    mkdirSync(directory, { recursive: true });
    this.proxyUrl = `http://127.0.0.1:${proxyPort}`;
    this.caFile = join(directory, 'platform-ca.pem');
    writeFileSync(this.caFile, certificates.caPem);
  }

  get ticketKey(): string {
    return this.#ticketKey;
  }

  /** What strangers find on the platform; undefined while nobody can say. */
  async listed(): Promise<readonly ListedLobby[] | undefined> {
    if (!this.running) return [];
    return this.order('look').then(
      (found) => lobbies.parse(found),
      () => (this.running ? undefined : []),
    );
  }

  async order(name: string, value = 0): Promise<unknown> {
    const answer = await fetch(`${this.#orders}/${name}/${value}`, { signal: AbortSignal.timeout(2_000) });
    return answer.json();
  }
}
