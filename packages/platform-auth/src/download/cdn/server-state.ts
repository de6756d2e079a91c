import type { ContentServer } from '../../platform/platform-session.ts';
import type { FailureKind } from './content-request.ts';

/** How much the latest request weighs in a server's speed. */
const newest = 0.3;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** When everybody has refused a depot, it was perhaps not meant for ever. */
const reopeningPauseMs = 5_000;
/** What a damaged answer does to a server's standing; the next good ones make up for it. */
const slander = 0.5;
/** Connections to one server, as many as a browser has. */
const mostRequests = 8;

/** What is known of one content server during a run. */
export class ServerState {
  readonly server: ContentServer;
  /** Requests under way. */
  active = 0;
  /** Bytes a second of one request; undefined before the first. */
  speed: number | undefined;
  pausedUntil = 0;
  /** Those that it is not asked for: it refused them, or a token for them is on its way. */
  readonly #shut = new Map<number, 'refused' | 'awaits-token'>();
  #failuresInARow = 0;
  /** It has asked for this pause itself: what else it answers meanwhile does not end it. */
  #askedUntil = 0;

  constructor(server: ContentServer) {
    this.server = server;
  }

  serves(appId: number): boolean {
    return this.server.appIds?.includes(appId) ?? true;
  }

  isOpen(depotId: number): boolean {
    return !this.#shut.has(depotId);
  }

  openDepot(depotId: number): void {
    this.#shut.delete(depotId);
  }

  /** It refused the depot: others are asked for it, as long as there are any. */
  closeDepot(depotId: number): void {
    this.#shut.set(depotId, 'refused');
  }

  awaitToken(depotId: number): void {
    this.#shut.set(depotId, 'awaits-token');
  }

  awaitsToken(depotId: number): boolean {
    return this.#shut.get(depotId) === 'awaits-token';
  }

  refuses(depotId: number): boolean {
    return this.#shut.get(depotId) === 'refused';
  }

  /** Gives it another chance, after a while; one whose token is on its way has it then. */
  reopenDepot(depotId: number, now: number): void {
    if (!this.refuses(depotId)) return;
    this.#shut.delete(depotId);
    this.pausedUntil = Math.max(this.pausedUntil, now + reopeningPauseMs);
  }

  /** It was not reached when it was asked last, or had too much to do. */
  get isAway(): boolean {
    return this.#failuresInARow > 0;
  }

  /** One that was never tried gets one request to try it with, one that just failed too. */
  hasRoom(now: number): boolean {
    const isUnproven = this.speed === undefined || this.isAway;
    return this.pausedUntil <= now && this.active < (isUnproven ? 1 : mostRequests);
  }

  succeeded(bytes: number, ms: number): void {
    const speed = bytes / Math.max(ms, 1);
    this.speed = this.speed === undefined ? speed : this.speed * (1 - newest) + speed * newest;
    this.#failuresInARow = 0;
    this.pausedUntil = this.#askedUntil;
  }

  /** Failures that meet a server at the same time count as one. */
  failed(kind: FailureKind, now: number, retryAfterMs: number | undefined): void {
    if (kind === 'missing' || kind === 'damaged') {
      this.speed = (this.speed ?? 0) * slander;
      return;
    }
    if (retryAfterMs !== undefined) this.#askedUntil = Math.max(this.#askedUntil, now + retryAfterMs);
    if (kind !== 'refused' && this.pausedUntil <= now) {
      this.pausedUntil = now + Math.min(firstPauseMs * 2 ** this.#failuresInARow, longestPauseMs);
      this.#failuresInARow += 1;
    }
    this.pausedUntil = Math.max(this.pausedUntil, this.#askedUntil);
  }
}
