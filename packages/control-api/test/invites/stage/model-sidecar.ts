import type { Answer, Asking } from '@steward/service-kit/http/asking';
import { Problem } from '@steward/shared/problems/problem';
import type { DownloadAnswer } from '@steward/shared/sidecar/download';
import { lobbyDataNames } from '@steward/shared/sidecar/platform';
import { timestampOf } from '@steward/shared/wire-values';
import type { ManualClock } from '@steward/testing/manual-clock';

const loginMs = 2_000;
const noticesMs = 60_000;

export type Reach = 'answers' | 'refuses' | 'is silent' | 'talks nonsense';

interface Wish {
  readonly game_server_id?: string;
  readonly protocol_version?: string;
  readonly max_members?: number;
}

/** A sidecar that behaves as docs/sidecar-api.md says, with the platform behind it, under the test's clock. */
export class ModelSidecar {
  readonly asked: { readonly at: number; readonly what: string }[] = [];
  reach: Reach = 'answers';
  /** What it says of the game's files. */
  files: Pick<DownloadAnswer, 'state' | 'reason' | 'remedy'> = { state: 'whole' };
  /** Whether the platform lets it log in. */
  platformIsUp = true;
  readonly #clock: ManualClock;
  #life = 0;
  #loggedIn = false;
  #wish: Wish | undefined;
  #lobby: { readonly id: string; gameServerId: string; alive: boolean } | undefined;
  #created = 0;
  #lobbies = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
    this.#logInLater();
  }

  get isLoggedIn(): boolean {
    return this.#loggedIn;
  }

  /** What players find on the platform. */
  get lobby(): { readonly id: string; readonly gameServerId: string } | undefined {
    return this.#lobby?.alive === true ? this.#lobby : undefined;
  }

  /** Whether it holds a lobby for open that the platform has closed, which it notices within a minute. */
  get isMistaken(): boolean {
    return this.#lobby?.alive === false;
  }

  restart(): void {
    this.#wish = undefined;
    this.#created = 0;
    this.sessionLost();
  }

  /** The control API of another farm asks for its own lobby here. */
  anotherAsks(game_server_id: string): void {
    this.#wish = { ...this.#wish, game_server_id };
    this.#keep();
  }

  sessionLost(): void {
    this.#life += 1;
    this.#loggedIn = false;
    this.#lobby = undefined;
    this.#logInLater();
  }

  platformClosesLobby(): void {
    const lobby = this.#lobby;
    if (lobby === undefined) return;
    lobby.alive = false;
    this.#clock.after(noticesMs, () => this.#notice(lobby));
  }

  heal(): void {
    this.reach = 'answers';
    this.platformIsUp = true;
    if (this.#lobby?.alive === false) this.#notice(this.#lobby);
  }

  ask = async (url: URL | string, { method = 'GET', body, signal }: Asking): Promise<Answer> => {
    const { pathname } = new URL(url);
    this.asked.push({ at: this.#clock.now(), what: `${method} ${pathname}` });
    switch (this.reach) {
      case 'answers':
        return this.#answer(`${method} ${pathname}`, body);
      case 'refuses':
        throw new Error('connect ECONNREFUSED');
      case 'talks nonsense':
        return { status: 502, headers: {}, text: '<html>' };
      case 'is silent':
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
    }
  };

  #answer(request: string, body: unknown): Answer {
    switch (request) {
      case 'GET /health':
        return json(this.#health());
      case 'GET /download':
        return json({ ...this.files, since: timestampOf(this.#clock.date()) });
      case 'GET /platform/lobby':
        return json(this.#lobbyAnswer());
      case 'GET /platform/app-ticket':
        return this.#loggedIn
          ? json({ app_ticket: 'dGlja2V0', platform_id: '76561198000000001' })
          : this.#noSession();
      case 'PUT /platform/lobby':
        this.#wish = { ...this.#wish, ...JSON.parse(String(body)) };
        if (this.#lobby?.alive === false) this.#lobby = undefined;
        this.#keep();
        return this.#lobby === undefined ? this.#noSession() : json(this.#lobbyAnswer());
      default:
        return { status: 404, headers: {}, text: '' };
    }
  }

  #logInLater(): void {
    const life = this.#life;
    this.#clock.after(loginMs, () => {
      if (life !== this.#life) return;
      if (!this.platformIsUp) {
        this.#logInLater();
        return;
      }
      this.#loggedIn = true;
      this.#keep();
    });
  }

  #notice(lobby: object): void {
    if (this.#lobby !== lobby) return;
    this.#lobby = undefined;
    this.#keep();
  }

  #keep(): void {
    if (!this.#loggedIn || this.#wish === undefined) return;
    const gameServerId = this.#wish.game_server_id ?? '0';
    if (this.#lobby !== undefined) {
      this.#lobby.gameServerId = gameServerId;
      return;
    }
    this.#created += 1;
    this.#lobbies += 1;
    this.#lobby = { id: String(109_775_240_000_000_000n + BigInt(this.#lobbies)), gameServerId, alive: true };
  }

  #health(): object {
    const at = timestampOf(this.#clock.date());
    const session = this.#loggedIn
      ? { state: 'logged-in', reason: 'Logged in', since: at }
      : { state: 'retrying', reason: 'The connection was lost', remedy: 'Wait', since: at, next_retry: at };
    return { status: 'ok', logged_in: this.#loggedIn, timestamp: at, session };
  }

  #lobbyAnswer(): object {
    const id = this.#lobby?.id;
    const wish = this.#wish ?? {};
    return {
      state: this.#state,
      ...(id === undefined ? {} : { lobby_id: id }),
      visibility: 'public',
      max_members: wish.max_members ?? 4,
      metadata: {
        [lobbyDataNames.gameServerId]: wish.game_server_id ?? '0',
        ...(wish.protocol_version === undefined
          ? {}
          : { [lobbyDataNames.protocolVersion]: wish.protocol_version }),
      },
      created: this.#created,
      since: timestampOf(this.#clock.date()),
      ...(id === undefined && this.#wish !== undefined ? { reason: 'There is no platform session' } : {}),
    };
  }

  get #state(): string {
    if (this.#wish === undefined) return 'none';
    if (this.#lobby !== undefined) return 'open';
    return this.#created === 0 ? 'creating' : 'lost';
  }

  #noSession(): Answer {
    const extras = { reason: 'The connection was lost', remedy: 'Wait', retry: true };
    const details = new Problem('platform-unavailable', 'The connection was lost. Wait', extras).details();
    return { status: 503, headers: { 'retry-after': '2' }, text: JSON.stringify(details) };
  }
}

function json(body: object): Answer {
  return { status: 200, headers: {}, text: JSON.stringify(body) };
}
