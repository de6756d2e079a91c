import type { Duplex } from 'node:stream';
import { type RpcError, rpcErrorCodes } from '@steward/shared/bridge/json-rpc';
import { LineSplitter } from '@steward/shared/bridge/line-splitter';
import { frameLimitBytes } from '@steward/shared/bridge/protocol';
import { parseRpcMessage, type RpcMessage } from '@steward/shared/bridge/rpc-message';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';

type Params = Record<string, unknown>;
type Answer = (answer: Parsed<unknown>) => void;
type Reply = { readonly result: unknown } | { readonly error: RpcError };

export interface IncomingRequest {
  readonly method: string;
  readonly params: Params;
  reply(reply: Reply): void;
}

export interface RpcPeerParts {
  readonly stream: Duplex;
  readonly onRequest: (request: IncomingRequest) => void;
  /** Called once, when the stream is over for whatever reason. */
  readonly onClose: (reason: string) => void;
}

/** JSON-RPC over one stream. Every question is answered once: by the other side, by its deadline, or by the end of the stream. */
export class RpcPeer {
  readonly #stream: Duplex;
  readonly #onRequest: RpcPeerParts['onRequest'];
  readonly #onClose: RpcPeerParts['onClose'];
  readonly #waiting = new Map<string, Answer>();
  #lastId = 0;
  #closed = false;

  constructor({ stream, onRequest, onClose }: RpcPeerParts) {
    this.#stream = stream;
    this.#onRequest = onRequest;
    this.#onClose = onClose;
    const lines = new LineSplitter(frameLimitBytes);
    stream.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        if (line.kind === 'line') this.#read(line.text);
        else if (line.kind === 'not-utf8') this.#complain(rpcErrorCodes.parseError, 'the line is not UTF-8');
        else this.close(`the control API sent a line of more than ${frameLimitBytes} bytes`);
      }
    });
    stream.on('error', (error) => this.close(error.message));
    stream.on('end', () => this.close('the control API closed the connection'));
    stream.on('close', () => this.close('the connection was lost'));
  }

  /** Without a deadline, only the end of the stream sets the one who asks free. */
  ask(method: string, params: Params, answer: Answer, deadlineMs?: number): void {
    if (this.#closed) {
      answer(refused('the connection is closed'));
      return;
    }
    this.#lastId += 1;
    const id = String(this.#lastId);
    const timer = deadlineMs === undefined ? undefined : this.#giveUpLater(id, method, deadlineMs);
    this.#waiting.set(id, (given) => {
      clearTimeout(timer);
      answer(given);
    });
    this.#write({ jsonrpc: '2.0', id, method, params });
  }

  tell(method: string, params: Params): void {
    this.#write({ jsonrpc: '2.0', method, params });
  }

  /** Stands still: nothing is read, and the other side's words pile up. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Calls back once what was written has left the process. */
  flush(done: () => void): void {
    if (this.#closed) done();
    else this.#stream.write('', () => done());
  }

  close(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.destroy();
    for (const id of [...this.#waiting.keys()]) this.#settle(id, refused(reason));
    this.#onClose(reason);
  }

  #read(line: string): void {
    const message = parseRpcMessage(line);
    if (message.ok) {
      this.#take(message.value);
      return;
    }
    this.#complain(rpcErrorCodes.invalidRequest, `the line ${message.reason}`);
  }

  #complain(code: number, message: string): void {
    this.#write({ jsonrpc: '2.0', id: null, error: { code, message } });
  }

  #take({ kind, message }: RpcMessage): void {
    if (kind === 'request') {
      const { id, method, params = {} } = message;
      const reply = (answer: Reply) => this.#write({ jsonrpc: '2.0', id, ...answer });
      this.#onRequest({ method, params, reply });
    } else if (kind === 'result') {
      this.#settle(message.id, accepted(message.result));
    } else if (kind === 'failure' && message.id !== null) {
      this.#settle(message.id, refused(message.error.message));
    }
  }

  #giveUpLater(id: string, method: string, deadlineMs: number): NodeJS.Timeout {
    const unanswered = refused(`${method} was not answered within ${deadlineMs} ms`);
    return setTimeout(() => this.#settle(id, unanswered), deadlineMs);
  }

  #settle(id: string, answer: Parsed<unknown>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.(answer);
  }

  #write(document: unknown): void {
    if (!this.#closed) this.#stream.write(`${JSON.stringify(document)}\n`);
  }
}
