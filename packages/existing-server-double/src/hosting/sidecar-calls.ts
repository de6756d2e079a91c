import { request } from '@steward/service-kit/http/node-http';

const waitsMs = [1_000, 2_000, 4_000];

export interface CallAnswer {
  readonly status: number;
  readonly text: string;
}

export interface SidecarCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly answers: readonly number[];
}

/** A final failure, which the mod knows by its text alone. */
export class CallFailure extends Error {}

/**
 * The existing server's mod as the sidecar sees it: every URL with the account's number, no header but the body's, ids as bare
 * numbers, four attempts with growing waits where a failure looks like it passes, none where it does not.
 */
export class SidecarCalls {
  readonly calls: SidecarCall[] = [];
  readonly #origin: string;
  readonly #pause: (ms: number) => Promise<void>;

  constructor(origin: string, pause: (ms: number) => Promise<void>) {
    this.#origin = origin;
    this.#pause = pause;
  }

  health(): Promise<string> {
    return this.#call('GET', '/health');
  }

  refreshToken(): Promise<string> {
    return this.#call('GET', '/steam/refresh-token');
  }

  async ticket(): Promise<Buffer> {
    const { app_ticket } = JSON.parse(await this.#call('GET', '/steam/app-ticket'));
    return Buffer.from(app_ticket, 'base64');
  }

  async createLobby(gameServerId: string, maxMembers: number): Promise<string> {
    const body = `{"game_server_steam_id":${gameServerId},"protocol_version":"1.6.15","max_members":${maxMembers}}`;
    const { lobby_id } = JSON.parse(await this.#call('POST', '/steam/lobby/create', body));
    return lobby_id;
  }

  setData(lobbyId: string, metadata: Record<string, string>): Promise<string> {
    return this.#call(
      'POST',
      '/steam/lobby/set-data',
      `{"lobby_id":${lobbyId},"metadata":${JSON.stringify(metadata)}}`,
    );
  }

  setPrivacy(lobbyId: string, privacy: string): Promise<string> {
    return this.#call('POST', '/steam/lobby/set-privacy', `{"lobby_id":${lobbyId},"privacy":"${privacy}"}`);
  }

  /** As it does for every change: a lobby that is gone is made anew, once, and the change tried again. */
  async withLobby(
    lobby: { id: string; gameServerId: string; maxMembers: number },
    change: (id: string) => Promise<string>,
  ): Promise<void> {
    try {
      await change(lobby.id);
    } catch (error) {
      if (!(error instanceof CallFailure) || !error.message.includes('NoMatch')) throw error;
      lobby.id = await this.createLobby(lobby.gameServerId, lobby.maxMembers);
      await change(lobby.id);
    }
  }

  async #call(method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
    const answers: number[] = [];
    this.calls.push({ method, path, ...(body === undefined ? {} : { body }), answers });
    for (const wait of [...waitsMs, undefined]) {
      const { status, text } = await this.#once(method, path, body);
      answers.push(status);
      if (status >= 200 && status < 300) return text;
      const passes = [0, 500, 502, 503, 504].includes(status);
      if (!passes || wait === undefined) throw new CallFailure(`${status}: ${text}`);
      await this.#pause(wait);
    }
    throw new CallFailure('out of attempts');
  }

  /** Status 0 is a connection that failed. */
  async #once(method: string, path: string, body: string | undefined): Promise<CallAnswer> {
    const { promise, resolve } = Promise.withResolvers<CallAnswer>();
    const headers =
      body === undefined
        ? {}
        : { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
    const outgoing = request(`${this.#origin}${path}?account=0`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
      answer.on('error', (error) => resolve({ status: 0, text: error.message }));
    });
    outgoing.on('error', (error) => resolve({ status: 0, text: error.message }));
    outgoing.end(body);
    return promise;
  }
}
