import { lobbyVisibility, type RequestableVisibility } from '@steward/shared/wire-values';
import type { EventStream } from '../events/farm-event.ts';
import type { Steward } from '../steward/steward.ts';
import type { Appointment, Schedule } from '../time/schedule.ts';
import type { CrossPlatformNetwork } from './cross-platform-network.ts';
import type { NetworksState, PlatformRelay } from './transports.ts';

// The game tries again at this pace whatever went wrong.
const retryMs = 20_000;
// What the real game would have its lobbies be: fatal for a host who is nobody's friend.
const wantedVisibility: RequestableVisibility = 'friends-only';

export interface HostingParts {
  readonly schedule: Schedule;
  readonly events: EventStream;
  readonly network: CrossPlatformNetwork;
  readonly relay: PlatformRelay;
  readonly steward: Steward;
}

interface OpenLobby {
  readonly rawId: bigint;
  readonly visibility: RequestableVisibility;
  readonly platformLobbyId?: string;
}

/** The farm's own way onto the networks: ticket, sign-in, lobby. It tries for as long as the farm is open. */
export class Hosting {
  readonly #parts: HostingParts;
  #signedIn = false;
  #lobby: OpenLobby | undefined;
  #why: string | undefined = 'the farm has only just opened';
  #retry: Appointment | undefined;
  // Answers to an earlier attempt come too late to matter.
  #attempt = 0;

  constructor(parts: HostingParts) {
    this.#parts = parts;
  }

  get lobby(): OpenLobby | undefined {
    return this.#lobby;
  }

  get networkState(): Omit<NetworksState, 'directIp'> {
    const why = this.#why === undefined ? {} : { why: this.#why };
    const lobby = this.#lobby;
    return {
      relay: { serverId: this.#parts.relay.gameServerId.toString() },
      network: {
        signedIn: this.#signedIn,
        ...(lobby === undefined ? {} : { lobby: lobbyView(lobby) }),
        ...why,
      },
    };
  }

  /** Does whatever is missing. Nothing is missing while the lobby lives: signing in again would sever its players. */
  start(): void {
    this.#retry?.cancel();
    this.#retry = undefined;
    if (this.#lobby !== undefined) return;
    const attempt = ++this.#attempt;
    if (this.#signedIn) this.#askVisibility(attempt);
    else this.#askTicket(attempt);
  }

  /** False when there is no lobby to point anywhere. */
  link(platformLobbyId: string | undefined): boolean {
    const lobby = this.#lobby;
    if (lobby === undefined) return false;
    const link = platformLobbyId === undefined ? {} : { platformLobbyId };
    this.#lobby = { rawId: lobby.rawId, visibility: lobby.visibility, ...link };
    this.#parts.events.emit({ type: 'lobby-linked', rawId: lobby.rawId.toString(), ...link });
    return true;
  }

  loseLobby(reason: string): void {
    const lobby = this.#lobby;
    if (lobby === undefined) return;
    this.#parts.network.closeLobby(lobby.rawId);
    this.#lobby = undefined;
    this.#parts.events.emit({ type: 'lobby-closed', rawId: lobby.rawId.toString(), reason });
    this.#tryLater(reason);
  }

  /**
   * The network went or came back. The lobby survives an outage, and so does the sign-in that belongs to it; without a
   * lobby the farm begins again, with a fresh ticket.
   */
  networkChanged(): void {
    const { network, events } = this.#parts;
    if (!network.reachable) {
      this.#why = 'the cross-platform network cannot be reached';
      if (this.#signedIn) events.emit({ type: 'network-signed-out', reason: this.#why });
      this.#signedIn = false;
    } else if (this.#lobby === undefined) {
      this.start();
    } else {
      this.#why = undefined;
      this.#signedIn = true;
      events.emit({ type: 'network-signed-in' });
    }
  }

  /** The process is gone, and with it its sign-in and its lobby. */
  crash(): void {
    this.#attempt += 1;
    this.#retry?.cancel();
    if (this.#lobby !== undefined) this.#parts.network.closeLobby(this.#lobby.rawId);
    this.#lobby = undefined;
    this.#signedIn = false;
    this.#why = 'the farm has only just opened';
    this.#parts.relay.logOn();
  }

  #askTicket(attempt: number): void {
    this.#why = 'waiting for an app ticket';
    this.#parts.steward.appTicket((answer) => {
      if (attempt !== this.#attempt) return;
      if (!answer.ok) return this.#tryLater(`no app ticket: ${answer.reason}`);
      const account = this.#parts.network.signIn(Buffer.from(answer.value.ticket, 'base64'));
      if (!account.ok) return this.#tryLater(account.reason);
      this.#signedIn = true;
      this.#parts.events.emit({ type: 'network-signed-in' });
      this.#askVisibility(attempt);
    });
  }

  #askVisibility(attempt: number): void {
    const { steward } = this.#parts;
    this.#why = 'waiting for a lobby';
    // The platform's lobby is not the farm's to open, but the real game asks for its visibility, too.
    steward.lobbyVisibility({ site: 'platform', requested: wantedVisibility }, () => {});
    steward.lobbyVisibility({ site: 'network', requested: wantedVisibility }, (answer) => {
      if (attempt === this.#attempt) this.#openLobby(answer.ok ? answer.value : lobbyVisibility);
    });
  }

  #openLobby(visibility: RequestableVisibility): void {
    const lobby = this.#parts.network.createLobby(visibility);
    if (!lobby.ok) {
      this.#tryLater(lobby.reason);
      return;
    }
    this.#lobby = lobby.value;
    this.#why = undefined;
    const rawId = lobby.value.rawId.toString();
    this.#parts.events.emit({ type: 'lobby-opened', rawId, asked: wantedVisibility, visibility });
  }

  #tryLater(reason: string): void {
    this.#why = reason;
    this.#retry?.cancel();
    this.#retry = this.#parts.schedule.after(retryMs, () => this.start());
  }
}

function lobbyView({ rawId, visibility, platformLobbyId }: OpenLobby) {
  return {
    id: rawId.toString(),
    visibility,
    ...(platformLobbyId === undefined ? {} : { platformLobbyId }),
  };
}
