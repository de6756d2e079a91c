import type { ContentDirectory } from '../../platform/content-directory.ts';
import type { Need } from './server-board.ts';
import type { ServerState } from './server-state.ts';

/** The tokens of the servers that demand one. A server that refuses without may also be one of them. */
export class ServerTokens {
  readonly #directory: ContentDirectory;
  readonly #tokens = new Map<string, Promise<string>>();

  constructor(directory: ContentDirectory) {
    this.#directory = directory;
  }

  /** The query string for a request; empty where none is needed, as far as is known. */
  async query(state: ServerState, need: Need): Promise<string> {
    const known = this.#tokens.get(place(state, need));
    if (known !== undefined) return known;
    return state.server.demandsToken ? this.#ask(state, need) : '';
  }

  /** After a refusal: whether it is worth another try, with a token that the refused request had not. */
  async learn(state: ServerState, need: Need, refusedQuery: string): Promise<boolean> {
    const known = this.#tokens.get(place(state, need));
    if (known !== undefined && (await known) !== refusedQuery) return true;
    if (refusedQuery !== '') this.#tokens.delete(place(state, need));
    return (await this.#ask(state, need)) !== refusedQuery;
  }

  #ask(state: ServerState, need: Need): Promise<string> {
    const key = place(state, need);
    const asked = this.#tokens.get(key);
    if (asked !== undefined) return asked;
    const token = this.#directory.serverToken(need.appId, need.depotId, state.server.name);
    this.#tokens.set(key, token);
    token.catch(() => this.#tokens.delete(key));
    return token;
  }
}

function place({ server }: ServerState, { depotId }: Need): string {
  return `${depotId}@${server.name}`;
}
