import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/log';
import type { BridgeEvent, GameBridge } from '../game/game-bridge.ts';
import type { BridgeState } from '../game/state/bridge-state.ts';
import { isConnected } from '../game/state/link-state.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { WayFacts } from './facts.ts';
import { LobbyLinker } from './lobby-linker.ts';
import { noSidecar, pictureOf, type WayPicture } from './picture.ts';
import { SidecarWatch } from './sidecar-watch.ts';
import type { TicketDesk } from './ticket-desk.ts';
import { WayNews } from './way-news.ts';

export interface InviteWayParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow' | 'run'> & {
    readonly events: { append(event: BridgeEvent): unknown };
  };
  /** Undefined where PLATFORM_AUTH_URL is empty. */
  readonly sidecar: SidecarClient | undefined;
  readonly tickets: TicketDesk;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** The invite code's way: derives from every news where each step stands, and does what is missing. */
export class InviteWay {
  readonly news: WayNews;
  readonly sidecar: SidecarClient | undefined;
  readonly #parts: InviteWayParts;
  readonly #watch: SidecarWatch | undefined;
  readonly #linker: LobbyLinker | undefined;
  readonly #unfollow: () => void;
  #picture: WayPicture;

  constructor(parts: InviteWayParts) {
    this.#parts = parts;
    const { bridge, sidecar, tickets } = parts;
    this.sidecar = sidecar;
    this.news = new WayNews({ events: bridge.events, log: parts.log });
    const changed = () => this.#changed();
    if (sidecar !== undefined) {
      const watch = new SidecarWatch({ ...parts, sidecar, game: () => bridge.state, changed });
      this.#watch = watch;
      this.#linker = new LobbyLinker({ ...parts, sidecar: () => watch.facts, changed });
    }
    tickets.onChange(changed);
    this.#picture = pictureOf(this.#facts, undefined, parts.clock.date());
    this.#unfollow = bridge.follow((state) => this.#gameChanged(state));
  }

  get picture(): WayPicture {
    return this.#picture;
  }

  start(): void {
    const isOwnWay = this.#parts.bridge.state.selfHosted !== undefined;
    if (this.#watch === undefined && !isOwnWay) this.#parts.log.info({}, noSidecar);
    this.#watch?.start();
  }

  stop(): void {
    this.#unfollow();
    this.#watch?.stop();
    this.#linker?.stop();
    this.sidecar?.close();
  }

  get #facts(): WayFacts {
    const { bridge, tickets } = this.#parts;
    return {
      bridge: bridge.state,
      sidecar: this.#watch?.facts,
      ticket: tickets.fact,
      link: this.#linker?.fact ?? { kind: 'idle' },
    };
  }

  #gameChanged({ link }: BridgeState): void {
    const { tickets } = this.#parts;
    if (!isConnected(link.status) && tickets.fact.kind !== 'unasked') tickets.forget();
    this.#watch?.gameChanged();
    this.#changed();
  }

  #changed(): void {
    this.#linker?.look();
    const before = this.#picture;
    this.#picture = pictureOf(this.#facts, before, this.#parts.clock.date());
    this.news.tell(before, this.#picture);
  }
}
