import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { GameBridge } from '../game/game-bridge.ts';
import { appliedOf, type CommandResult } from '../game/operations/operation.ts';
import type { AskedSlot, Knock, Objected } from '../game/questions/objections.ts';
import { isConnected } from '../game/state/bridge-state.ts';
import { type Address, readAddress } from '../ip-networks.ts';

/** Between two tries to send the same player away: a game that saves takes none meanwhile. */
const againMs = 10_000;
/** More connections than this at once are nobody's players. */
const mostAddresses = 1_000;

export interface SendingAwayParts {
  readonly bridge: Pick<GameBridge, 'state' | 'run'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Why somebody who is on the farm may not be there. */
  readonly objection: (knock: Knock, slot: AskedSlot) => Objected | undefined;
}

/** Somebody who was to be sent away, and why they were not, where they are still there. */
export interface SentAway {
  readonly playerId: string;
  readonly playerName: string;
  readonly stillOnline?: string;
}

/** Knows from where those come who are on the farm, and sends away whoever may not be there. */
export class SendingAway {
  readonly #parts: SendingAwayParts;
  readonly #addresses = new Map<string, string>();
  /** When each was told to go last, what became of it, and what the log says of it, by connection. */
  readonly #told = new Map<string, { at: number; readonly end: Promise<SentAway>; logged?: string }>();

  constructor(parts: SendingAwayParts) {
    this.#parts = parts;
  }

  /** The game says from where a connection comes when it asks about it, and never again. */
  knocks({ connectionId, address }: Knock): void {
    if (address === undefined) return;
    this.#addresses.delete(connectionId);
    this.#addresses.set(connectionId, address);
    const [oldest] = this.#addresses.keys();
    if (this.#addresses.size > mostAddresses && oldest !== undefined) this.#addresses.delete(oldest);
  }

  /** Of those who are online, as far as the game has told since this service started. */
  get addresses(): readonly Address[] {
    return this.#online.flatMap(({ connectionId }) => {
      const address = readAddress(this.#addresses.get(connectionId) ?? '');
      return address === undefined ? [] : [address];
    });
  }

  /** Everybody who may not be there is told to go; whoever was told a moment ago is not told again, and what became of that still stands. */
  async all(): Promise<readonly SentAway[]> {
    const { bridge, clock, objection } = this.#parts;
    const { farmhands = [] } = bridge.state.sections;
    const empty = new Set(farmhands.filter(({ isCustomized }) => !isCustomized).map(({ id }) => id));
    const here = new Set(this.#online.map(({ connectionId }) => connectionId));
    for (const connectionId of this.#told.keys())
      if (!here.has(connectionId)) this.#told.delete(connectionId);
    const ends = this.#online.flatMap((player) => {
      const { connectionId, id } = player;
      const slot = { id, isCustomized: !empty.has(id) };
      const why = objection({ connectionId, address: this.#addresses.get(connectionId) }, slot);
      if (why === undefined) return [];
      const last = this.#told.get(connectionId);
      if (last !== undefined && clock.now() - last.at < againMs) return [last.end];
      const end = this.#sendAway({ ...player, why });
      this.#told.set(connectionId, { ...last, at: clock.now(), end });
      return [end];
    });
    return Promise.all(ends);
  }

  async #sendAway({
    id: playerId,
    name: playerName,
    connectionId,
    why,
  }: GamePlayer & { readonly why: Objected }): Promise<SentAway> {
    const { bridge, log } = this.#parts;
    const player = { playerId, playerName };
    const result = await bridge.run({
      name: 'kick',
      params: { target: { playerId }, reason: why.message },
    });
    if (appliedOf(result) !== undefined) {
      log.info({ playerId }, `${playerName || playerId} is kicked: ${why.reason}`);
      return player;
    }
    // It never will: once is enough.
    const told = this.#told.get(connectionId);
    if (result.kind === 'unsupported' && told !== undefined) told.at = Number.POSITIVE_INFINITY;
    const stillOnline = notSentAway(result);
    // What is tried again and again is told of once.
    if (told?.logged !== stillOnline)
      log.warn({ playerId }, `${playerName || playerId} cannot be kicked: ${stillOnline}`);
    if (told !== undefined) told.logged = stillOnline;
    return { ...player, stillOnline };
  }

  get #online(): readonly GamePlayer[] {
    const { link, sections, isWhole, selfHosted } = this.#parts.bridge.state;
    const isKnown = isConnected(link.status) && isWhole && selfHosted === undefined;
    return isKnown ? (sections.players ?? []) : [];
  }
}

interface GamePlayer {
  readonly id: string;
  readonly name: string;
  readonly connectionId: string;
}

function notSentAway(result: CommandResult): string {
  switch (result.kind) {
    case 'unsupported':
      return 'this game cannot kick players';
    case 'operation': {
      const { outcome, why } = result.operation;
      return outcome?.outcome === 'refused'
        ? outcome.message
        : (why ?? 'the game has not said whether it did so');
    }
    case 'unavailable':
    case 'key-unreadable':
      return result.reason;
    case 'key-reused':
      return 'another request has its key';
  }
}
