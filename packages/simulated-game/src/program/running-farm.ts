import type { Duplex } from 'node:stream';
import type { Logger } from '@steward/service-kit/log/logger';
import type { JsonRpcPeer } from '@steward/shared/bridge/peer';
import type { GameSettings } from '@steward/shared/bridge/settings';
import { FarmLink, type OpenFarm } from '../bridge/farm-link.ts';
import { StewardOverBridge } from '../bridge/steward-over-bridge.ts';
import { CommandDesk } from '../commands/command-desk.ts';
import { Farm } from '../farm/farm.ts';
import type { SaveStore } from '../saves/save-store.ts';
import { Schedule } from '../time/schedule.ts';
import { LoopMeter, Stalls, Ticker } from './loop.ts';

// Often enough to look alive, seldom enough to cost nothing.
const stateEveryMs = 250;
const tickEveryMs = 500;

export interface RunningFarmParts {
  readonly seed: string;
  readonly opening: string;
  readonly pace: number;
  readonly tps: number;
  readonly saves: SaveStore;
  readonly ticketKey: Buffer | undefined;
  readonly secret: string | undefined;
  readonly logger: Logger;
  readonly now: () => number;
  /** The farm has been told to stop, and has saved. */
  readonly onStop: () => void;
  /** The connection is lost; `welcomed` when it had been more than an attempt. */
  readonly onConnectionLost: (welcomed: boolean) => void;
  /** A farm that has been opened, for the people who are going to play on it. */
  readonly onOpen: (farm: Farm) => void;
}

/** The farm in real time, with whatever connection to the control API there is. */
export class RunningFarm {
  readonly stalls: Stalls;
  readonly #parts: RunningFarmParts;
  readonly #schedule = new Schedule();
  readonly #steward: StewardOverBridge;
  readonly #meter: LoopMeter;
  readonly #ticker: Ticker;
  #open: OpenFarm | undefined;
  #link: FarmLink | undefined;
  #running = false;
  #statePushed = 0;
  #tickTold = 0;

  constructor(parts: RunningFarmParts) {
    this.#parts = parts;
    this.#steward = new StewardOverBridge((action) => this.#schedule.after(0, action));
    this.#meter = new LoopMeter(parts.tps, parts.now);
    this.#ticker = new Ticker({ tps: parts.tps, now: parts.now, onTick: (elapsed) => this.#tick(elapsed) });
    this.stalls = new Stalls((stall, on) => {
      parts.logger.warn(`${stall}: ${on ? 'begins' : 'is over'}`);
      this.#ticker.stall(this.stalls.any);
      if (stall === 'freeze') this.#link?.freeze(on);
    });
  }

  /** Undefined until the first welcome: the settings that a farm is made from come with it. */
  get farm(): Farm | undefined {
    return this.#open?.farm;
  }

  get connected(): boolean {
    return this.#link !== undefined;
  }

  start(): void {
    this.#running = true;
    this.#ticker.start();
  }

  connect(stream: Duplex): void {
    const { saves, secret, logger, onStop, onConnectionLost } = this.#parts;
    const state = this.farm?.world.state ?? saves.load();
    const identity = state && { farmId: state.farmId, saveGeneration: state.generation };
    this.#link = new FarmLink({
      stream,
      identity,
      secret,
      onStop,
      onWelcome: (settings, peer) => this.#welcome(settings, peer),
      onClose: (reason, welcomed) => {
        if (this.#running) logger.warn(`not connected: ${reason}`);
        this.#link = undefined;
        this.#steward.connected(undefined);
        this.#open?.desk.connectionLost();
        onConnectionLost(welcomed);
      },
    });
  }

  /** Does something to the farm in the farm's own loop. */
  inLoop(action: () => void): void {
    this.#schedule.after(0, action);
  }

  /** The process dies and comes back, as far as anybody else can see. */
  crash(): void {
    this.stalls.endAll();
    this.#link?.close('the farm has crashed');
    this.#open?.desk.crash();
    this.#open?.farm.crash();
  }

  /** Is no more; it saves first where it was not told to stop, which has saved, and nobody is there. */
  stop({ save }: { readonly save: boolean }): void {
    this.#running = false;
    this.#ticker.stop();
    this.stalls.endAll();
    if (save && this.farm?.dayCycle.maySave) this.farm.world.save();
    this.#link?.close('the farm is closing');
  }

  #welcome(settings: GameSettings, peer: JsonRpcPeer): OpenFarm {
    this.#parts.logger.info('connected to the control API');
    this.#steward.connected(peer);
    const known = this.#open;
    if (known !== undefined) {
      known.farm.applySettings(settings);
      known.farm.hosting.start();
      return known;
    }
    const { seed, opening, saves, ticketKey } = this.#parts;
    const farm = new Farm({
      seed,
      opening,
      schedule: this.#schedule,
      saves,
      settings,
      steward: this.#steward,
      ticketKey,
    });
    const desk = new CommandDesk(farm, (command, granted) => this.#steward.claim(command, granted));
    this.#open = { farm, desk, stats: () => this.#meter.stats(farm.renderRate, desk.pending) };
    farm.events.watch((happening) => {
      this.#parts.logger.debug(happening.event, happening.event.type);
      this.#link?.event(happening);
    });
    farm.open(settings);
    this.#parts.onOpen(farm);
    return this.#open;
  }

  #tick(elapsedMs: number): void {
    const { now, pace } = this.#parts;
    const started = now();
    this.#schedule.advance(elapsedMs * pace);
    this.#meter.ticked(now() - started);
    if (started - this.#tickTold >= tickEveryMs) {
      this.#tickTold = started;
      this.#link?.tick(this.#meter.ticks);
    }
    if (started - this.#statePushed >= stateEveryMs) {
      this.#statePushed = started;
      this.#link?.pushState();
    }
  }
}
