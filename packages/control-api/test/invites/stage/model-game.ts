import type { AppTicketResult } from '@steward/shared/bridge/methods';
import type { StateParams } from '@steward/shared/bridge/state';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Parsed } from '@steward/shared/parsed';
import type { ManualClock } from '@steward/testing/manual-clock';
import type { GameBridge } from '../../../src/game/game-bridge.ts';
import type { CommandResult } from '../../../src/game/operations/operation.ts';
import type { Events } from '../../../src/game/state/event-log.ts';
import { StateKeeper } from '../../../src/game/state/state-keeper.ts';
import { fullFarm } from '../../api/stage/full-farm.ts';
import { memoryEvents } from '../../game/stage/memory-events.ts';

const triesAgainMs = 20_000;
const tellsMs = 1_000;
const claimMs = 5_000;

export type Mood = 'willing' | 'refuses' | 'is silent';

interface Lobby {
  readonly id: string;
  platformLobbyId?: string;
}

/** The bridge with a game behind it that signs in, opens its lobby and links it, under the test's clock. */
export class ModelGame {
  readonly events: Events<StewardEvent>;
  readonly ran: number[] = [];
  mood: Mood = 'willing';
  askForTicket: () => Promise<Parsed<AppTicketResult>> = async () => ({ ok: false, reason: 'nobody to ask' });
  readonly #clock: ManualClock;
  readonly #keeper: StateKeeper;
  #life = 0;
  #lobbies = 0;
  #isConnected = false;
  #isReachable = true;
  #signedIn = false;
  #lobby: Lobby | undefined;

  constructor(clock: ManualClock) {
    this.#clock = clock;
    this.#keeper = new StateKeeper(clock, 'waiting', 'no game has come yet');
    this.events = memoryEvents(clock);
  }

  get state(): GameBridge['state'] {
    return this.#keeper.state;
  }

  follow: GameBridge['follow'] = (listener) => this.#keeper.follow(listener);

  /** As the game itself knows it, whoever has been told. */
  get truth() {
    return {
      connected: this.#isConnected,
      serverId: this.#serverId,
      isOnNetwork: this.#signedIn && this.#isReachable,
      lobby: this.#lobby,
    };
  }

  /** Every logon at the relay is given another id. */
  get #serverId(): string {
    return String(90_071_992_547_409_920n + BigInt(this.#life));
  }

  start(): void {
    this.#life += 1;
    this.#isConnected = true;
    this.#keeper.connected(
      {
        protocol: { major: 1, minor: 0 },
        game: { name: 'Model', version: '1' },
        capabilities: ['linkLobby'],
      },
      'Model 1 is connected',
    );
    // Until it tells, what is known is of the game before it.
    this.#after(tellsMs, () => this.#tell(fullFarm()));
    this.#after(2 * tellsMs, () => this.#signIn());
  }

  die(): void {
    this.#life += 1;
    this.#isConnected = false;
    this.#signedIn = false;
    this.#lobby = undefined;
    this.#keeper.link('restarting', { reason: 'the game has exited' });
  }

  outage(on: boolean): void {
    this.#isReachable = !on;
    if (on) this.#signedIn = false;
    else if (this.#lobby !== undefined) this.#signedIn = true;
    this.#tell({});
  }

  loseLobby(): void {
    if (this.#lobby === undefined) return;
    this.#lobby = undefined;
    this.#tell({});
    this.#after(triesAgainMs, () => this.#signIn());
  }

  heal(): void {
    this.mood = 'willing';
    this.outage(false);
    if (!this.#isConnected) this.start();
  }

  run: GameBridge['run'] = async (command): Promise<CommandResult> => {
    this.ran.push(this.#clock.now());
    if (command.name !== 'linkLobby') throw new Error(`nobody should run ${command.name}`);
    if (!this.#isConnected)
      return { kind: 'unavailable', reason: 'no game is connected', retryAfterMs: 5_000 };
    if (this.mood === 'is silent') {
      await new Promise<void>((resolve) => this.#clock.after(claimMs, resolve));
      return operation('void');
    }
    const lobby = this.#lobby;
    if (this.mood === 'refuses' || lobby === undefined) return operation('refused');
    const { platformLobbyId } = command.params;
    this.#lobby = { id: lobby.id, ...(platformLobbyId === undefined ? {} : { platformLobbyId }) };
    this.#after(tellsMs, () => this.#tell({}));
    return operation('applied');
  };

  async #signIn(): Promise<void> {
    const life = this.#life;
    if (this.#lobby !== undefined || !this.#isConnected) return;
    const ticket = await this.askForTicket();
    if (life !== this.#life) return;
    if (!ticket.ok || !this.#isReachable) {
      this.#after(triesAgainMs, () => this.#signIn());
      return;
    }
    this.#signedIn = true;
    this.#lobbies += 1;
    this.#lobby = { id: String(109_775_241_000_000_000n + BigInt(this.#lobbies)) };
    this.#tell({});
  }

  /** Unless the game is another one by then. */
  #after(ms: number, action: () => void): void {
    const life = this.#life;
    this.#clock.after(ms, () => {
      if (life === this.#life) action();
    });
  }

  #tell(sections: StateParams): void {
    if (!this.#isConnected || (!this.state.isWhole && Object.keys(sections).length === 0)) return;
    this.#keeper.push({
      ...sections,
      networks: {
        relay: { serverId: this.#serverId },
        network: {
          signedIn: this.#signedIn,
          ...(this.#lobby === undefined ? {} : { lobby: { ...this.#lobby, visibility: 'public' } }),
        },
        directIp: { listening: false },
      },
    });
  }
}

function operation(state: 'void' | 'refused' | 'applied'): CommandResult {
  const at = '2026-11-21T00:00:00.000Z';
  const names = { id: '1', command: 'linkLobby', fingerprint: '', createdAt: at, changedAt: at } as const;
  return { kind: 'operation', operation: { ...names, state } };
}
