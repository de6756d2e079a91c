import { type RpcError, rpcErrorCodes } from './json-rpc.ts';
import type { Line } from './line-splitter.ts';
import { type LineLimits, LineReader, type LineStream, LineWriter, type PeerClock } from './line-stream.ts';
import { frameLimitBytes } from './protocol.ts';
import { parseRpcMessage, type RpcMessage } from './rpc-message.ts';

/** How a request ended: with a result, with the other side's error, or with no answer at all. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'unanswered'; readonly message: string };

export type Params = Readonly<Record<string, unknown>>;

/** What the other side has asked. It is answered once, at once or later. */
export interface IncomingRequest {
  readonly method: string;
  readonly params: Params;
  reply(result: object): void;
  refuse(code: keyof typeof rpcErrorCodes, message: string): void;
}

/** Who takes what the other side sends. */
export interface PeerHandlers {
  request(request: IncomingRequest): void;
  notification?(method: string, params: Params): void;
  /** Whether a request counts towards those in hand; what is bounded elsewhere does not. All count where it is not said. */
  counts?(method: string): boolean;
  /** Called once, when the stream is over for whatever reason; `us`: this side gave it up. */
  closed(why: string, by: 'us' | 'them'): void;
}

export interface PeerLimits extends LineLimits {
  /** Requests of the other side that may be in hand at once. */
  readonly requestsInHand: number;
  /** Lines that cannot be read, before the connection is not worth keeping. */
  readonly badLines: number;
}

/** Of a side that trusts the other to keep its own; the length of a line is the protocol's. */
export const trustingLimits: PeerLimits = {
  frameBytes: frameLimitBytes,
  linesPerSecond: Infinity,
  unreadBytes: Infinity,
  requestsInHand: Infinity,
  badLines: Infinity,
};

interface PeerLog {
  warn(facts: object, text: string): void;
}

export interface PeerParts {
  /** Who is at the other end, in words. */
  readonly other: string;
  readonly handlers: PeerHandlers;
  readonly limits: PeerLimits;
  readonly clock: PeerClock;
  readonly log?: PeerLog;
  /** Goes with each line that is logged for being unreadable. */
  readonly from?: string;
  /** Takes lines that are no messages, where stray prints share the stream. */
  readonly strayLine?: ((line: string) => void) | undefined;
}

/** JSON-RPC 2.0 over one stream, in both directions. Whatever arrives, it throws nothing into the process. */
export class JsonRpcPeer {
  readonly #stream: LineStream;
  readonly #parts: PeerParts;
  readonly #outgoing = new OutgoingRequests();
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  #inHand = 0;
  #badLines = 0;
  #closed = false;

  constructor(stream: LineStream, parts: PeerParts) {
    this.#stream = stream;
    this.#parts = parts;
    const { clock, limits, other } = parts;
    const ended = (why: string) => this.#end(why, 'them');
    this.#writer = new LineWriter(stream.output, { limits, other, ended, unread: (why) => this.close(why) });
    this.#reader = new LineReader(stream.input, {
      clock,
      limits,
      other,
      line: (line) => this.#read(line),
      // Half a message is none.
      unended: (line) => this.#letBy(line),
      ended,
    });
  }

  /**
   * Settled once: by the other side, by its deadline, or by the end of the stream; without a deadline, only that sets free who asks.
   * Returns what forgets the request: an answer that comes later is then ignored.
   */
  request(method: string, params: Params, settle: (answer: Answer) => void, deadlineMs?: number): () => void {
    if (this.#closed) {
      settle({ kind: 'unanswered', message: 'the connection is closed' });
      return () => {};
    }
    const late = () =>
      this.#outgoing.settle(id, {
        kind: 'unanswered',
        message: `${method} was not answered within ${deadlineMs} ms`,
      });
    const timer = deadlineMs === undefined ? undefined : this.#parts.clock.after(deadlineMs, late);
    const id = this.#outgoing.add((answer) => {
      timer?.cancel();
      settle(answer);
    });
    this.#writer.write({ jsonrpc: '2.0', id, method, params });
    return () => {
      timer?.cancel();
      this.#outgoing.forget(id);
    };
  }

  tell(method: string, params: Params): void {
    this.#writer.write({ jsonrpc: '2.0', method, params });
  }

  close(why: string): void {
    this.#end(why, 'us');
  }

  #end(why: string, by: 'us' | 'them'): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reader.stop();
    this.#stream.close();
    this.#outgoing.closeAll(why);
    this.#parts.handlers.closed(why, by);
  }

  #read(line: Line): void {
    const { limits } = this.#parts;
    if (line.kind === 'over-limit') {
      const reason = `a line is longer than ${limits.frameBytes} bytes`;
      this.#refuse(null, rpcErrorCodes.invalidRequest, reason);
      this.close(reason);
      return;
    }
    if (this.#letBy(line)) return;
    if (line.kind === 'not-utf8') {
      this.#badLine(rpcErrorCodes.parseError, 'is not UTF-8');
      return;
    }
    const parsed = parseRpcMessage(line.text);
    if (parsed.ok) this.#dispatch(parsed.value);
    else if (parsed.reason === 'is not a JSON document')
      this.#badLine(rpcErrorCodes.parseError, parsed.reason);
    else this.#badLine(rpcErrorCodes.invalidRequest, parsed.reason);
  }

  /** Whether it is a print that shares the stream, and was handed on as one. Some print JSON; every message names its protocol. */
  #letBy(line: Line): boolean {
    const { strayLine } = this.#parts;
    if (strayLine === undefined || line.kind === 'over-limit') return false;
    if (line.text.trimStart().startsWith('{') && line.text.includes('"jsonrpc"')) return false;
    strayLine(line.text);
    return true;
  }

  #dispatch(message: RpcMessage): void {
    const { handlers, log, other } = this.#parts;
    switch (message.kind) {
      case 'request':
        this.#asked(message.message.id, message.message.method, message.message.params ?? {});
        return;
      case 'notification':
        handlers.notification?.(message.message.method, message.message.params ?? {});
        return;
      case 'result':
        this.#outgoing.settle(message.message.id, { kind: 'result', result: message.message.result });
        return;
      case 'failure': {
        const { id, error } = message.message;
        if (id === null) log?.warn({ error }, `${other} could not read a line`);
        else this.#outgoing.settle(id, { kind: 'error', ...error });
      }
    }
  }

  #asked(id: string, method: string, params: Params): void {
    const { handlers, limits } = this.#parts;
    const weight = (handlers.counts?.(method) ?? true) ? 1 : 0;
    if (this.#inHand + weight > limits.requestsInHand) {
      const reason = `more than ${limits.requestsInHand} requests are open; wait for answers`;
      this.#refuse(id, rpcErrorCodes.tooManyRequests, reason);
      return;
    }
    this.#inHand += weight;
    let isAnswered = false;
    const answer = (write: () => void): void => {
      if (isAnswered) return;
      // What cannot be written throws, and may be refused yet.
      write();
      isAnswered = true;
      this.#inHand -= weight;
    };
    handlers.request({
      method,
      params,
      reply: (result) => answer(() => this.#writer.write({ jsonrpc: '2.0', id, result })),
      refuse: (code, message) => answer(() => this.#refuse(id, rpcErrorCodes[code], message)),
    });
  }

  #badLine(code: number, reason: string): void {
    const { from, limits, log, other } = this.#parts;
    this.#badLines += 1;
    log?.warn({ from }, `a line from ${other} ${reason}`);
    this.#refuse(null, code, `the line ${reason}`);
    if (this.#badLines >= limits.badLines) this.close(`${this.#badLines} lines could not be read`);
  }

  #refuse(id: string | null, code: RpcError['code'], message: string): void {
    this.#writer.write({ jsonrpc: '2.0', id, error: { code, message } });
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

  closeAll(message: string): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, { kind: 'unanswered', message });
  }
}
