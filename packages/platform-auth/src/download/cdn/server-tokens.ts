import { PlatformFailure } from '../../platform/failure.ts';
import type { ContentDirectory } from '../../platform/platform-session.ts';
import { RequestFailure } from './content-request.ts';
import type { Need } from './server-board.ts';
import type { ServerState } from './server-state.ts';

/**
 * The tokens of the servers that demand one. A server that refuses without may also be one of them. Nobody waits for a token: the
 * server has a rest for this depot until it is there, and others are asked.
 */
export class ServerTokens {
  readonly #directory: ContentDirectory;
  readonly #changed: () => void;
  readonly #tokens = new Map<string, string>();
  /** Why there is none, for the next who would need it. */
  readonly #failures = new Map<string, RequestFailure>();

  /** `changed` is called when a server may be asked again, or not any more. */
  constructor(directory: ContentDirectory, changed: () => void) {
    this.#directory = directory;
    this.#changed = changed;
  }

  /** The query string for a request; empty where none is needed, as far as is known; undefined where it has to be waited for. */
  query(state: ServerState, need: Need): string | undefined {
    const key = place(state, need);
    const known = this.#tokens.get(key);
    if (known !== undefined || !state.server.demandsToken) return known ?? '';
    const failure = this.#failures.get(key);
    this.#failures.delete(key);
    if (failure === undefined) {
      this.#ask(state, need);
      return undefined;
    }
    if (failure.kind === 'refused') state.closeDepot(need.depotId);
    throw failure;
  }

  /** After a refusal of a request with this query. */
  refused(state: ServerState, need: Need, query: string): void {
    const known = this.#tokens.get(place(state, need)) ?? '';
    // One that the request had not opens it, perhaps.
    if (known !== query) return;
    if (query === '') this.#ask(state, need);
    else {
      this.#tokens.delete(place(state, need));
      state.closeDepot(need.depotId);
    }
  }

  #ask(state: ServerState, need: Need): void {
    const { appId, depotId } = need;
    if (state.awaitsToken(depotId)) return;
    state.awaitToken(depotId);
    this.#directory
      .serverToken(appId, depotId, state.server.name)
      .then(
        (token) => {
          this.#tokens.set(place(state, need), token);
          state.openDepot(depotId);
        },
        (error: unknown) => {
          this.#failures.set(place(state, need), asRequestFailure(error));
          if (state.server.demandsToken) state.openDepot(depotId);
          else state.closeDepot(depotId);
        },
      )
      .finally(this.#changed);
  }
}

/** What does not pass will be the same next time. */
function asRequestFailure(error: unknown): RequestFailure {
  const isPassing = error instanceof PlatformFailure && error.failure.class === 'transient';
  return new RequestFailure(
    isPassing ? 'unreachable' : 'refused',
    'needs a token that the platform did not give',
  );
}

function place({ server }: ServerState, { depotId }: Need): string {
  return `${depotId}@${server.name}`;
}
