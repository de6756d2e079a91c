import type { GameSettings } from '@steward/shared/bridge/settings';
import { changeStrategy } from '../cabins/cabins.ts';
import { Chat, ChatCommands } from '../chat/chat.ts';
import { EventStream } from '../events/farm-event.ts';
import { Admins } from '../farmhands/admins.ts';
import { Admission } from '../farmhands/admission.ts';
import { Presence } from '../farmhands/presence.ts';
import { Reservations } from '../farmhands/reservations.ts';
import { Slots } from '../farmhands/slots.ts';
import { Faults } from '../faults/faults.ts';
import { issuerOf, verifierOf } from '../networks/app-ticket.ts';
import { CrossPlatformNetwork } from '../networks/cross-platform-network.ts';
import { Hosting } from '../networks/hosting.ts';
import { DirectIp, PlatformRelay } from '../networks/transports.ts';
import { Players } from '../players/players.ts';
import type { FarmState } from '../saves/farm-state.ts';
import type { Steward } from '../steward/steward.ts';
import type { Schedule } from '../time/schedule.ts';
import { DayCycle } from '../world/day-cycle.ts';
import { Sessions } from '../world/sessions.ts';
import { World, type WorldParts } from '../world/world.ts';

/** What a farm needs from outside: no clock, no chance and no file of its own. */
interface FarmParts extends Pick<WorldParts, 'seed' | 'opening' | 'saves' | 'settings'> {
  readonly schedule: Schedule;
  readonly steward: Steward;
  /** The app's 32 bytes, with which the network's backend reads tickets; without it nobody can sign in. */
  readonly ticketKey: Buffer | undefined;
}

type ServerSettings = GameSettings['server'];

/** The whole farm: its world, its networks, and the people who come and go. It moves when its schedule does. */
export class Farm {
  readonly schedule: Schedule;
  readonly events: EventStream;
  readonly faults: Faults;
  readonly world: World;
  readonly sessions = new Sessions();
  readonly slots: Slots;
  readonly dayCycle: DayCycle;
  readonly network: CrossPlatformNetwork;
  readonly hosting: Hosting;
  readonly directIp: DirectIp;
  readonly admission: Admission;
  readonly presence: Presence;
  readonly chat: Chat;
  readonly players: Players;
  readonly admins: Admins;
  #settings: ServerSettings;
  #renderRate = 0;

  constructor({ seed, opening, schedule, saves, settings, steward, ticketKey }: FarmParts) {
    const events = new EventStream(schedule);
    this.schedule = schedule;
    this.events = events;
    this.faults = new Faults(schedule, events);
    const { sessions, faults } = this;
    const world = new World({ events, seed, opening, saves, settings });
    const { random } = world;
    const slots = new Slots(world, sessions, events);
    const dayCycle = new DayCycle({ world, schedule, events, sessions, faults });
    this.#settings = settings.server;
    this.network = new CrossPlatformNetwork(verifierOf(ticketKey), random.fork('network'));
    const relay = new PlatformRelay(random.fork('relay'));
    this.directIp = new DirectIp(random.fork('direct-ip'));
    this.hosting = new Hosting({ schedule, events, network: this.network, relay, steward });
    this.admins = new Admins(world, events, () => this.#settings.adminPlatformIds);
    this.admission = new Admission({
      admins: this.admins,
      world,
      sessions,
      slots,
      dayCycle,
      events,
      steward,
      reservations: new Reservations(schedule),
      maxPlayers: () => this.#settings.maxPlayers,
    });
    this.presence = new Presence({ sessions, slots, dayCycle, events });
    this.chat = new Chat(sessions, events, new ChatCommands(world, this.hosting));
    this.players = new Players({
      schedule,
      events,
      faults,
      chat: this.chat,
      admission: this.admission,
      presence: this.presence,
      random: random.fork('players'),
      wires: {
        network: this.network,
        relay,
        directIp: this.directIp,
        hosting: this.hosting,
        issueTicket: issuerOf(ticketKey, random.fork('tickets')),
      },
    });
    this.world = world;
    this.slots = slots;
    this.dayCycle = dayCycle;
    faults.onChange((fault) => {
      if (fault === 'network-outage') this.#outage(faults.isOn(fault));
    });
  }

  get settings(): ServerSettings {
    return this.#settings;
  }

  get renderRate(): number {
    return this.#renderRate;
  }

  /** What the host's own settings file says, now and whenever it changes. */
  applySettings({ server }: GameSettings): void {
    this.#settings = settingsInEffect(server, this.world.state);
    this.directIp.open = this.#settings.allowIpConnections;
    this.slots.keepOneFree();
  }

  /** They are shown why, and may come back. */
  sendAway(farmhandId: string, reason: string | undefined): void {
    const session = this.sessions.of(farmhandId);
    if (session === undefined) return;
    this.events.emit({ type: 'kicked', farmhandId, ...(reason === undefined ? {} : { reason }) });
    this.presence.leave(farmhandId);
    this.players.sentAway(session.connectionId);
  }

  setRenderRate(fps: number): void {
    this.#renderRate = fps;
    this.events.emit({ type: 'rendering', fps });
  }

  /** Founds the farm where there is none, and opens its doors. */
  open(settings: GameSettings): void {
    this.applySettings(settings);
    const { state } = this.world;
    if (state.generation === 0) {
      this.slots.build(settings.game.startingCabins);
      this.world.save();
    }
    this.#load();
  }

  /** Another farm in this one's place, while nobody plays; it is still to be saved. */
  found(game: GameSettings['game']): void {
    this.#leave();
    this.world.found({ game, server: this.#settings });
    this.#settings = settingsInEffect(this.#settings, this.world.state);
    this.slots.build(game.startingCabins);
    this.#load();
  }

  goTo(farmId: string): void {
    this.#leave();
    this.world.goTo(farmId);
    this.#settings = settingsInEffect(this.#settings, this.world.state);
    this.#load();
  }

  /** The process dies and is started again: back to the last save, and everybody has to come anew. */
  crash(): void {
    this.#leave();
    this.#renderRate = 0;
    this.world.goBack();
    this.#load();
  }

  /** Whoever is connected has to come anew. */
  #leave(): void {
    const { players, admission, sessions, dayCycle, hosting } = this;
    admission.crash();
    sessions.clear();
    players.connectionsLost();
    dayCycle.reset();
    hosting.crash();
  }

  #load(): void {
    const { state } = this.world;
    this.slots.clearAllAbandoned();
    this.slots.keepOneFree();
    this.events.emit({ type: 'opened', farmName: state.farmName, generation: state.generation });
    this.hosting.start();
  }

  #outage(on: boolean): void {
    this.network.reachable = !on;
    if (on) this.players.networkLost();
    this.hosting.networkChanged();
  }
}

/** Puts settings into effect. What the farm cannot do now stays as it was, and the answer says so by still differing. */
function settingsInEffect(wanted: ServerSettings, state: FarmState): ServerSettings {
  if (wanted.cabinStrategy !== state.cabinStrategy) {
    changeStrategy(state, wanted.cabinStrategy, wanted.existingCabinBehavior === 'MoveToStack');
  }
  return { ...wanted, cabinStrategy: state.cabinStrategy };
}
