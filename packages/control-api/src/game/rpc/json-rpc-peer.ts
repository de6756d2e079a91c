import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { rpcErrorCodes } from '@steward/shared/bridge/json-rpc';
import type { Line } from '@steward/shared/bridge/line-splitter';
import { firstIssue, parseRpcMessage, type RpcMessage } from '@steward/shared/bridge/rpc-message';
import type { z } from 'zod';
import type { BridgeLimits } from '../state/limits.ts';
import { type GameStream, LineReader, LineWriter } from './game-stream.ts';

/** How a request ended: with a result, with the other side's error, or with the connection. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'closed'; readonly why: string };

/** An error that is meant for the other side, code and text. */
export class RpcFault extends Error {
  readonly code: number;

  constructor(code: keyof typeof rpcErrorCodes, message: string) {
    super(message);
    this.name = 'RpcFault';
    this.code = rpcErrorCodes[code];
  }
}

export type Params = Readonly<Record<string, unknown>>;

/** Reads what came with a method, or tells the other side what is wrong with it. */
export function readParams<Schema extends z.ZodType>(schema: Schema, params: Params): z.infer<Schema> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new RpcFault('invalidParams', firstIssue(parsed.error));
  return parsed.data;
}

/** Who answers what the other side sends. */
export interface PeerHandlers {
  /** Rejecting with an `RpcFault` tells its code and text, anything else only that something went wrong. */
  request(method: string, params: Params): Promise<object>;
  notification(method: string, params: Params): void;
  /** Whether a request counts towards those in hand; what is bounded elsewhere does not. */
  counts(method: string): boolean;
  /** The answer to a request has been written. */
  answered(): void;
  closed(why: string): void;
}

export interface PeerParts {
  readonly handlers: PeerHandlers;
  readonly limits: BridgeLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/** JSON-RPC 2.0 over one stream, in both directions. Whatever arrives, nothing is thrown into the process. */
export class JsonRpcPeer {
  readonly #stream: GameStream;
  readonly #parts: PeerParts;
  readonly #outgoing = new OutgoingRequests();
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  #inHand = 0;
  #badLines = 0;
  #closed = false;

  constructor(stream: GameStream, parts: PeerParts) {
    this.#stream = stream;
    this.#parts = parts;
    this.#writer = new LineWriter(stream.output, parts.limits.unreadBytes, (why) => this.close(why));
    this.#reader = new LineReader(stream.input, {
      limits: parts.limits,
      clock: parts.clock,
      line: (line) => this.#read(line),
      ended: (why) => this.close(why),
    });
  }

  /** Returns what forgets the request: an answer that comes later is then ignored. */
  request(method: string, params: Params, settle: (answer: Answer) => void): () => void {
    if (this.#closed) {
      settle({ kind: 'closed', why: 'the connection is closed' });
      return () => {};
    }
    const id = this.#outgoing.add(settle);
    this.#writer.write({ jsonrpc: '2.0', id, method, params });
    return () => this.#outgoing.forget(id);
  }

  close(why: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reader.stop();
    this.#stream.close();
    this.#outgoing.closeAll(why);
    this.#parts.handlers.closed(why);
  }

  #read(line: Line): void {
    if (line.kind === 'over-limit') {
      const reason = `a line is longer than ${this.#parts.limits.frameBytes} bytes`;
      this.#writer.write(failure(null, rpcErrorCodes.invalidRequest, reason));
      this.close(reason);
      return;
    }
    if (line.kind === 'not-utf8') {
      this.#badLine(rpcErrorCodes.parseError, 'is not UTF-8');
      return;
    }
    if (this.#stream.strayLine !== undefined && !line.text.trimStart().startsWith('{')) {
      this.#stream.strayLine(line.text);
      return;
    }
    const parsed = parseRpcMessage(line.text);
    if (parsed.ok) this.#dispatch(parsed.value);
    else if (parsed.reason === 'is not a JSON document')
      this.#badLine(rpcErrorCodes.parseError, parsed.reason);
    else this.#badLine(rpcErrorCodes.invalidRequest, parsed.reason);
  }

  #dispatch(message: RpcMessage): void {
    switch (message.kind) {
      case 'request':
        void this.#answer(message.message.id, message.message.method, message.message.params ?? {});
        return;
      case 'notification':
        this.#parts.handlers.notification(message.message.method, message.message.params ?? {});
        return;
      case 'result':
        this.#outgoing.settle(message.message.id, { kind: 'result', result: message.message.result });
        return;
      case 'failure': {
        const { id, error } = message.message;
        if (id === null) this.#parts.log.warn({ error }, 'the game could not read a line');
        else this.#outgoing.settle(id, { kind: 'error', ...error });
      }
    }
  }

  async #answer(id: string, method: string, params: Params): Promise<void> {
    const weight = this.#parts.handlers.counts(method) ? 1 : 0;
    if (this.#inHand + weight > this.#parts.limits.questionsInHand) {
      const reason = `more than ${this.#parts.limits.questionsInHand} requests are in hand; wait for answers`;
      this.#writer.write(failure(id, rpcErrorCodes.tooManyRequests, reason));
      return;
    }
    this.#inHand += weight;
    try {
      const result = await this.#parts.handlers.request(method, params);
      this.#writer.write({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (error instanceof RpcFault) this.#writer.write(failure(id, error.code, error.message));
      else {
        this.#parts.log.error({ err: error, method }, "a request of the game's failed");
        this.#writer.write(failure(id, rpcErrorCodes.internalError, `${method} failed; try again later`));
      }
    } finally {
      this.#inHand -= weight;
    }
    this.#parts.handlers.answered();
  }

  #badLine(code: number, reason: string): void {
    this.#badLines += 1;
    this.#parts.log.warn({ from: this.#stream.from }, `a line from the game ${reason}`);
    this.#writer.write(failure(null, code, `the line ${reason}`));
    if (this.#badLines >= this.#parts.limits.badLines)
      this.close(`${this.#badLines} lines could not be read`);
  }
}

type Settle = (answer: Answer) => void;

/** The requests that wait for their answer. Each is settled once; a second answer, or one to nothing, is no harm. */
class OutgoingRequests {
  readonly #waiting = new Map<string, Settle>();
  #count = 0n;

  /** Returns the id of the new request. */
  add(settle: Settle): string {
    this.#count += 1n;
    const id = this.#count.toString();
    this.#waiting.set(id, settle);
    return id;
  }

  forget(id: string): void {
    this.#waiting.delete(id);
  }

  settle(id: string, answer: Answer): void {
    const settle = this.#waiting.get(id);
    if (settle === undefined) return;
    this.#waiting.delete(id);
    settle(answer);
  }

  closeAll(why: string): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, { kind: 'closed', why });
  }
}

function failure(id: string | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
