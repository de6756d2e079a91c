import { Backoff, type Clock, type Timer } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import {
  type LobbyAnswer,
  type LobbyRequest,
  lobbyDataNames,
  mostLobbyMembers,
} from '@steward/shared/sidecar/platform';
import { lobbyVisibility } from '@steward/shared/wire-values';
import type { BridgeState } from '../game/state/bridge-state.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import { nothingHeard, type PublishedLobby, type SidecarFacts } from './facts.ts';
import { inviteLimits } from './limits.ts';
import { SidecarNews } from './sidecar-news.ts';
import { gameAway } from './step-finding.ts';

export interface SidecarWatchParts {
  readonly sidecar: SidecarClient;
  readonly game: () => BridgeState;
  readonly clock: Clock;
  readonly random: () => number;
  readonly changed: () => void;
  readonly tell: (event: StewardEvent) => void;
}

const takenPauses = {
  firstMs: inviteLimits.takenFirstMs,
  factor: 2,
  longestMs: inviteLimits.takenLongestMs,
  steadyMs: Number.POSITIVE_INFINITY,
};

/** Looks at the sidecar again and again, and asks it for the platform lobby whenever it does not know of it. */
export class SidecarWatch {
  readonly #parts: SidecarWatchParts;
  readonly #news: SidecarNews;
  #facts: SidecarFacts = nothingHeard;
  #timer: Timer | undefined;
  #isLooking = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #putAt = Number.NEGATIVE_INFINITY;
  #filesAt = Number.NEGATIVE_INFINITY;
  #wish: string | undefined;
  /** The game server of ours that the sidecar was last known to lead to. */
  #known: string | undefined;
  readonly #takenPauses: Backoff;
  /** How long after we asked another farm keeps what it has taken over. */
  #leaveMs: number = inviteLimits.putAgainMs;
  #stopped = false;

  constructor(parts: SidecarWatchParts) {
    this.#parts = parts;
    this.#news = new SidecarNews(parts.tell);
    this.#takenPauses = new Backoff(takenPauses, parts.random);
  }

  get facts(): SidecarFacts {
    return this.#facts;
  }

  start(): void {
    void this.#look();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** The game has told something: if another lobby is wanted now, that need not wait for the next look. */
  gameChanged(): void {
    const wish = JSON.stringify(wishOf(this.#parts.game()));
    if (wish === this.#wish) return;
    this.#wish = wish;
    this.#putAt = Number.NEGATIVE_INFINITY;
    // What is under way looks at the wish last.
    if (!this.#isLooking) this.#next(inviteLimits.lookAgainMs);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    const { sidecar, clock, random } = this.#parts;
    this.#isLooking = true;
    const health = await sidecar.health();
    const lobby = health.ok ? await sidecar.lobby() : undefined;
    // Told before the lobby is asked for, which takes a while: a lobby that is gone is gone at once.
    this.#hear({ health, lobby, takenUntil: lobby?.ok === true ? this.#takenUntil(lobby.value) : undefined });
    if (health.ok) this.#news.session(health.value.session, health.value.contended);
    if (lobby?.ok === true) await this.#askFor(lobby.value);
    if (health.ok) await this.#lookAtFiles();
    this.#isLooking = false;
    this.#lookedAt = clock.now();
    const lookMs = inviteLimits.lookMs * (1 + inviteLimits.lookJitter * random());
    const pauseMs = Math.max(lookMs, sidecar.breaker.pauseMs);
    this.#next(pauseMs);
    this.#hear({ lookAt: new Date(clock.date().getTime() + pauseMs) });
  }

  async #lookAtFiles(): Promise<void> {
    const { sidecar, clock } = this.#parts;
    if (clock.now() - this.#filesAt < inviteLimits.filesMs) return;
    this.#filesAt = clock.now();
    const download = await sidecar.download();
    if (download.ok) this.#news.files(download.value);
  }

  /** Undefined unless another farm, which uses this sidecar, too, has put its game server in the place of ours. */
  #takenUntil(found: LobbyAnswer): Date | undefined {
    const { clock, game } = this.#parts;
    const ours = wishOf(game())?.game_server_id;
    const there = found.state === 'none' ? undefined : found.metadata[lobbyDataNames.gameServerId];
    if (there === undefined || ours === undefined) return undefined;
    if (there === ours) this.#known = ours;
    // Until ours was there, it may be the id that our game had before a restart.
    if (there === ours || this.#known !== ours) return undefined;
    const leftMs = this.#putAt + this.#leaveMs - clock.now();
    return new Date(clock.date().getTime() + Math.max(0, leftMs));
  }

  /** Asks for the lobby where the sidecar does not know what it shall be. */
  async #askFor(found: LobbyAnswer): Promise<void> {
    const { sidecar, clock, game } = this.#parts;
    const wish = wishOf(game());
    if (wish === undefined || isAsked(wish, found)) return;
    const isTaken = this.#facts.takenUntil !== undefined;
    if (clock.now() - this.#putAt < (isTaken ? this.#leaveMs : inviteLimits.putAgainMs)) return;
    if (isTaken) this.#leaveMs = this.#takenPauses.pause(0);
    this.#putAt = clock.now();
    const lobby = await sidecar.putLobby(wish);
    // Refused, it is remembered all the same, and the next look tells how far it has come.
    const isRemembered = !lobby.ok && lobby.refusal.kind === 'refused';
    if (lobby.ok || isRemembered) this.#known = wish.game_server_id;
    this.#hear({
      takenUntil: undefined,
      lobby: isRemembered ? { ok: true, value: { ...found, reason: lobby.refusal.reason } } : lobby,
    });
  }

  #hear(news: Partial<SidecarFacts>): void {
    if (this.#stopped) return;
    const facts = { ...this.#facts, ...news };
    const { lobby } = facts;
    const published = lobby?.ok === true ? publishedOf(lobby.value, this.#facts.published) : undefined;
    this.#facts = { ...facts, published };
    this.#parts.changed();
  }

  #next(ms: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    const { clock } = this.#parts;
    const due = Math.max(ms, this.#lookedAt + inviteLimits.lookAgainMs - clock.now());
    this.#timer = clock.after(due, () => void this.#look());
  }
}

/** What the platform lobby shall be, once there is something that it can lead to. */
function wishOf(game: BridgeState): (LobbyRequest & { game_server_id: string }) | undefined {
  // That server sees to its lobby itself.
  if (game.selfHosted !== undefined || gameAway(game) !== undefined) return undefined;
  const { status, networks } = game.sections;
  const serverId = networks?.relay.serverId;
  if (status === undefined || serverId === undefined || networks?.network.lobby === undefined)
    return undefined;
  return {
    game_server_id: serverId,
    ...(status.gameVersion === '' ? {} : { protocol_version: status.gameVersion }),
    // The account that opened the lobby has a place in it, and for a while so has a player whose game crashed. Whether the
    // farm is full is the game's to say: it opens its own lobbies for twice its players, too.
    ...(status.maxPlayers < 1 ? {} : { max_members: Math.min(2 * status.maxPlayers, mostLobbyMembers) }),
    visibility: lobbyVisibility,
  };
}

/** Whether the sidecar knows the wish already; it then needs no second asking, however far it has come. */
function isAsked(wish: LobbyRequest, { state, metadata, max_members }: LobbyAnswer): boolean {
  return (
    state !== 'none' &&
    metadata[lobbyDataNames.gameServerId] === wish.game_server_id &&
    metadata[lobbyDataNames.protocolVersion] === wish.protocol_version &&
    (wish.max_members === undefined || wish.max_members === max_members)
  );
}

/**
 * What players find on the platform now. An open lobby with a reason is one whose last change failed: it stands as it
 * was before.
 */
function publishedOf(
  { state, lobby_id, reason, metadata }: LobbyAnswer,
  before: PublishedLobby | undefined,
): PublishedLobby | undefined {
  const gameServerId = metadata[lobbyDataNames.gameServerId];
  if (state !== 'open' || lobby_id === undefined || gameServerId === undefined) return undefined;
  if (reason === undefined) return { lobbyId: lobby_id, gameServerId };
  return before?.lobbyId === lobby_id ? before : undefined;
}
