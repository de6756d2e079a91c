import type { RequestFailure } from './content-failure.ts';
import type { ServerState } from './server-state.ts';

/** What a failure costs: a server without the right bytes will hardly have them soon, one that is not there may come back. */
const costs = { unreachable: 1, busy: 1, refused: 3, missing: 3, damaged: 3 };
/** With pauses that double up to half a minute, a server may be away for about a minute. */
const patience = 7;
/** More would fill the screen and say no more. */
const mostNamed = 3;

/** What was tried for one piece of content, on which server. */
export class Tries {
  readonly #points = new Map<ServerState, number>();
  readonly #words = new Map<string, string>();

  points(state: ServerState): number {
    return this.#points.get(state) ?? 0;
  }

  isWorthwhile(state: ServerState): boolean {
    return this.points(state) < patience;
  }

  failed(state: ServerState, { kind, message }: RequestFailure): void {
    this.#points.set(state, this.points(state) + costs[kind]);
    this.#words.set(state.server.address, message);
  }

  /** The last word of each server. */
  get summary(): string {
    const all = [...this.#words].map(([address, words]) => `${address} ${words}`);
    const rest = all.length - mostNamed;
    return [...all.slice(0, mostNamed), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
  }
}
