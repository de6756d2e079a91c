import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@steward/testing/free-port';
import { count } from '@steward/testing/scale';
import { nodeOptionsOf, type ServiceName } from '@steward/tools/bundle/services';
import type { Place } from '../chaos/chaos-world.ts';
import type { Conditions, Surrounded } from '../chaos/programs.ts';
import { Gauge } from './gauge.ts';
import { SmallDisk } from './small-disk.ts';
import { Wire } from './wire.ts';

const gauged = fileURLToPath(new URL('./entries/gauged.ts', import.meta.url));
const visitors = count({ small: 4, long: 8 });
const neighbours = count({ small: 1, long: 2 });
const minuteMs = 61_000;
/** With room for all that is to be kept of the longest run, some 30 MB with the database's journal: full is what the trouble makes it. */
const megabytes = { state: 64, session: 1 } as const;

/** So far ahead lives the sidecar that a token of 200 days is due to it at each start, and once a day. */
const sidecarAheadMs = 150 * 24 * 60 * 60 * 1_000;

/** Whose bundle each of them is in an image. */
const serviceOf = {
  sidecar: 'platform-auth',
  controlApi: 'control-api',
  farm: 'simulated-game',
} as const satisfies Readonly<Record<Surrounded, ServiceName>>;

const processes = Object.keys(serviceOf) as Surrounded[];

interface Wires {
  /** Between the sidecar and the platform. */
  readonly platform: Wire;
  /** Between the control API and the sidecar. */
  readonly sidecar: Wire;
  /** Between the farm and the control API. */
  readonly bridge: Wire;
  /** Between everybody else and the control API. */
  readonly clients: Wire;
  /** Between a browser and the page. */
  readonly page: Wire;
}

/** What is around the processes of a soak, and can go wrong there: networks, disks, the clock. Each process is weighed. */
export class SoakSurroundings implements Conditions {
  readonly sidecarEntry = 'packages/platform-auth/test/world/measured-sidecar.ts';
  readonly wires: Wires;
  readonly disks: { readonly state: SmallDisk; readonly session: SmallDisk };
  readonly gauges: Readonly<Record<Surrounded, Gauge>>;
  /** The pages of the other farms that are shown beside this one. */
  readonly neighbours: readonly string[];
  clockJumps = 0;
  readonly #place: Place;
  readonly #pagePort: number;
  #clockMs = 0;
  #latestMs = 0;

  private constructor(place: Place, wires: Wires, [pagePort, ...neighbours]: readonly [number, ...number[]]) {
    this.#place = place;
    this.wires = wires;
    this.#pagePort = pagePort;
    this.neighbours = neighbours.map(loopback);
    const gauge = (name: Surrounded) => new Gauge(join(place.directory, `${name}.gauge`));
    this.gauges = { sidecar: gauge('sidecar'), controlApi: gauge('controlApi'), farm: gauge('farm') };
    const disk = (name: keyof typeof megabytes, user: Gauge) =>
      new SmallDisk(join(place.directory, name), megabytes[name], user);
    this.disks = {
      state: disk('state', this.gauges.controlApi),
      session: disk('session', this.gauges.sidecar),
    };
  }

  static async around(place: Place): Promise<SoakSurroundings> {
    const { directory, ports } = place;
    const bridge = { path: join(directory, 'bridge.sock') };
    const pages: [number, ...number[]] = [await freePort()];
    for (let each = 0; each < neighbours; each += 1) pages.push(await freePort());
    const wires = {
      platform: await Wire.between('platform', undefined, { port: ports.proxy }),
      sidecar: await Wire.between('sidecar', undefined, { port: ports.sidecar }),
      bridge: await Wire.between('bridge', bridge, { path: join(directory, 'state', 'game.sock') }),
      clients: await Wire.between('clients', undefined, { port: ports.api }),
      page: await Wire.between('page', undefined, { port: pages[0] }),
    };
    return new SoakSurroundings(place, wires, pages);
  }

  get directory(): string {
    return this.#place.directory;
  }

  /** Where everybody finds the API, and the page. */
  get origins() {
    return { api: loopback(this.wires.clients.port), page: loopback(this.wires.page.port) };
  }

  environmentOf(process: Surrounded): NodeJS.ProcessEnv {
    return {
      ...gaugedBy(this.gauges[process]),
      CLOCK_OFFSET_MS: String(this.#clockOf(process)),
      ...this.#dials(process),
    };
  }

  nodeOptionsOf(process: Surrounded): readonly string[] {
    return nodeOptionsOf(serviceOf[process]);
  }

  /** The machine's wall clock is set; what starts later finds it so. */
  async setClock(ms: number): Promise<void> {
    this.clockJumps += 1;
    this.#clockMs = ms;
    this.#latestMs = Math.max(this.#latestMs, ms);
    await Promise.all(processes.map((name) => this.gauges[name].order('clock', this.#clockOf(name))));
  }

  /** It is later than it ever was, by a minute: what is done each minute is due. */
  async passMinute(): Promise<void> {
    await this.setClock(this.#latestMs + minuteMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.wires).map((wire) => wire[Symbol.asyncDispose]()));
    for (const disk of Object.values(this.disks)) disk[Symbol.dispose]();
  }

  #clockOf(process: Surrounded): number {
    return this.#clockMs + (process === 'sidecar' ? sidecarAheadMs : 0);
  }

  #dials(process: Surrounded): NodeJS.ProcessEnv {
    const { wires } = this;
    switch (process) {
      case 'sidecar':
        return { PLATFORM_PROXY: `http://127.0.0.1:${wires.platform.port}` };
      case 'controlApi':
        return {
          PLATFORM_AUTH_URL: `http://127.0.0.1:${wires.sidecar.port}`,
          TRUSTED_PROXIES: '127.0.0.1',
          DASHBOARD_PORT: String(this.#pagePort),
          DASHBOARD_FARMS: this.neighbours.join(','),
          WEBHOOK_ALLOW: '127.0.0.1',
          GAME_SAVES_DIR: join(this.directory, 'saves'),
          BACKUP_DIR: join(this.directory, 'backups'),
        };
      case 'farm':
        return {
          FARM_BRIDGE: `unix:${join(this.directory, 'bridge.sock')}`,
          FARM_VISITORS: String(visitors),
        };
    }
  }
}

/** What a process is told that shall be weighed from within. */
export function gaugedBy({ path }: Gauge): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import ${gauged}`, GAUGE: path };
}

function loopback(port: number): string {
  return `http://127.0.0.1:${port}`;
}
