import type { Agent } from 'node:http';
import type { Clock } from '@steward/service-kit/clock';
import type { ContentDirectory } from '../../platform/platform-session.ts';
import type { ProxyFor } from '../../platform/proxy.ts';
import { DecodeError } from '../decode/decode-error.ts';
import { ContentError } from '../problems/problem.ts';
import { contentAgent } from './content-agents.ts';
import { type ContentRequest, RequestFailure, requestContent } from './content-request.ts';
import { type Need, ServerBoard, Tries } from './server-board.ts';
import type { ServerState } from './server-state.ts';
import { ServerTokens } from './server-tokens.ts';

/** The list is asked for anew when everybody on it has failed, but not over and over. */
const listLifetimeMs = 60_000;

export interface ContentWish<T> extends Need {
  /** For the message when it cannot be had. */
  readonly what: string;
  readonly bytes: ContentRequest['bytes'];
  /** Asked before every request. */
  path(): Promise<string> | string;
  /** Told that a server does not take the path's code. */
  unauthorized?(): void;
  /** Makes of the bytes what is wanted; a DecodeError means that another server should be asked. */
  accept(content: Uint8Array<ArrayBuffer>): Promise<T>;
}

export interface ContentServersParts {
  readonly directory: ContentDirectory;
  readonly proxyFor: ProxyFor;
  readonly clock: Clock;
}

/** Gets content from whichever server has it, the fastest first, over everything that may happen to one of them. */
export class ContentServers {
  readonly #parts: ContentServersParts;
  readonly #board: ServerBoard;
  readonly #tokens: ServerTokens;
  readonly #agents = new Map<string, Agent>();
  #list: Promise<void> | undefined;
  #newList: Promise<void> = Promise.resolve();
  #listedAt = 0;

  constructor(parts: ContentServersParts) {
    this.#parts = parts;
    this.#board = new ServerBoard(parts.clock);
    this.#tokens = new ServerTokens(parts.directory, () => this.#board.changed());
  }

  async fetch<T>(wish: ContentWish<T>, signal: AbortSignal): Promise<T> {
    await this.#listed();
    const tries = new Tries();
    for (;;) {
      const state = await this.#board.take(wish, tries, signal);
      if (state === undefined) {
        if (await this.#foundNewServers(wish, tries)) continue;
        throw new ContentError('unavailable', words(wish, tries));
      }
      try {
        const content = await this.#request(state, wish, signal);
        if (content !== undefined) return await wish.accept(content);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const failure = asRequestFailure(error);
        this.#board.failed(state, failure);
        tries.failed(state, failure);
        if (this.#board.allHaveFailed(wish, tries)) this.#renewList();
      }
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** One request; none, and undefined, where it would want a token that is not there yet. Gives the server free in any case. */
  async #request<T>(
    state: ServerState,
    wish: ContentWish<T>,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const query = this.#tokens.query(state, wish);
      return query === undefined ? undefined : await this.#sendOrLearn(state, wish, query, signal);
    } finally {
      this.#board.release(state);
    }
  }

  async #sendOrLearn<T>(
    state: ServerState,
    wish: ContentWish<T>,
    query: string,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return await this.#send(state, wish, query, signal);
    } catch (error) {
      if (error instanceof RequestFailure && error.kind === 'refused') {
        if (error.status === 401 && wish.unauthorized !== undefined) wish.unauthorized();
        else this.#tokens.refused(state, wish, query);
      }
      throw error;
    }
  }

  async #send<T>(
    state: ServerState,
    wish: ContentWish<T>,
    query: string,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { address, isSecure, name } = state.server;
    const { clock } = this.#parts;
    const url = new URL(`${isSecure ? 'https' : 'http'}://${address}${await wish.path()}${query}`);
    const agent = this.#agentFor(url);
    const began = clock.now();
    const content = await requestContent({
      url,
      hostName: name,
      agent,
      bytes: wish.bytes,
      clock,
      signal,
      moves: () => this.#board.came(),
    });
    this.#board.came();
    state.succeeded(content.length, clock.now() - began);
    return content;
  }

  #agentFor(url: URL): Agent {
    const agent = this.#agents.get(url.origin) ?? contentAgent(url, this.#parts.proxyFor);
    this.#agents.set(url.origin, agent);
    return agent;
  }

  #listed(): Promise<void> {
    this.#list ??= this.#askForList().catch((error) => {
      this.#list = undefined;
      throw error;
    });
    return this.#list;
  }

  async #askForList(): Promise<void> {
    this.#listedAt = this.#parts.clock.now();
    this.#board.add(await this.#parts.directory.servers());
  }

  /** When everybody on the list has failed, a new list may name others. */
  #renewList(): void {
    if (this.#parts.clock.now() - this.#listedAt >= listLifetimeMs)
      this.#newList = this.#askForList().catch(() => {});
  }

  /** Whoever finds out meanwhile that nobody is left waits for the same list. */
  async #foundNewServers(need: Need, tries: Tries): Promise<boolean> {
    this.#renewList();
    await this.#newList;
    return this.#board.candidates(need, tries).length > 0;
  }
}

function asRequestFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  if (error instanceof DecodeError)
    return new RequestFailure('damaged', `sent content that ${error.message}`);
  throw error;
}

function words({ what, depotId }: { what: string; depotId: number }, tries: Tries): string {
  const summary = tries.summary;
  if (summary === '') return `No content server has depot ${depotId}, which ${what} belongs to`;
  return `No content server has ${what} of depot ${depotId}: ${summary}`;
}
