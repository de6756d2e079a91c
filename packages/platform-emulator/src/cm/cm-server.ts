import type { Server } from 'node:https';
import { type WebSocket, WebSocketServer } from 'ws';
import { type FaultPlan, lateness } from '../faults/fault-plan.ts';
import type { RequestFacts, RequestRecord } from '../record/request-record.ts';
import { connectionManager } from '../transport/addresses.ts';
import { decodeFrame, type Frame, type MultiForm } from '../wire/frame.ts';
import { messageName, messageNumbers } from '../wire/numbers.ts';
import { CmConnection, type CmSessions } from './cm-connection.ts';
import { type CmHandler, methodName } from './cm-message.ts';

export interface CmServerParts {
  /** The TLS server that carries the WebSocket's upgrade. */
  readonly origin: Server;
  readonly handlers: readonly CmHandler[];
  readonly sessions: CmSessions;
  readonly faults: FaultPlan;
  readonly record: RequestRecord;
  readonly multiForm: MultiForm;
}

/** The connection manager: takes connections, reads their frames and gives each message to its handler. */
export class CmServer {
  readonly #parts: CmServerParts;
  readonly #handlers: ReadonlyMap<number, CmHandler>;
  readonly #connections = new Set<CmConnection>();
  #silent = false;

  constructor(parts: CmServerParts) {
    this.#parts = parts;
    this.#handlers = new Map(parts.handlers.map((handler) => [handler.message, handler]));
    // Pings are answered by hand, so that silence can be complete.
    const server = new WebSocketServer({ server: parts.origin, path: '/cmsocket/', autoPong: false });
    server.on('connection', (socket) => this.#accept(socket));
  }

  get connections(): readonly CmConnection[] {
    return [...this.#connections];
  }

  /** From now on nothing is answered, on connections old and new, until it is called with false. */
  silence(silent: boolean): void {
    this.#silent = silent;
    for (const connection of this.#connections) connection.silent = silent;
  }

  #accept(socket: WebSocket): void {
    const connection = new CmConnection(socket, this.#parts.multiForm);
    connection.silent = this.#silent;
    this.#connections.add(connection);
    socket.on('ping', (data) => {
      if (!connection.silent) socket.pong(data);
    });
    socket.on('message', (data) => {
      const frame = Buffer.isBuffer(data) ? decodeFrame(data) : undefined;
      if (frame === undefined) connection.drop();
      else void this.#receive(connection, frame);
    });
    socket.on('error', () => connection.drop());
    socket.on('close', () => {
      this.#connections.delete(connection);
      if (connection.session !== undefined) this.#parts.sessions.end(connection.session);
    });
  }

  async #receive(connection: CmConnection, { message, header, body }: Frame): Promise<void> {
    const { faults, record } = this.#parts;
    const facts = describe(connection, message, header.target_job_name);
    const entry = record.add(facts);
    const fault = faults.decide(facts);
    const late = lateness(fault);
    if (late !== undefined) await late;
    if (fault.stallAtByte !== undefined || connection.silent) return;
    if (fault.resetAtByte !== undefined) {
      connection.drop();
      return;
    }
    const handler = this.#handlers.get(message);
    if (handler === undefined || (connection.session === undefined && handler.beforeLogon !== true)) return;
    try {
      handler.handle({ connection, header, body, fault, entry });
    } catch (error) {
      // A message that cannot be read costs its sender the connection, as anywhere; the record says what it was.
      entry.problem = String(error);
      connection.drop();
    }
    record.finish(entry);
  }
}

function describe(
  connection: CmConnection,
  message: number,
  targetJobName: string | undefined,
): RequestFacts {
  const isCall =
    message === messageNumbers.ServiceMethodCallFromClient ||
    message === messageNumbers.ServiceMethodCallFromClientNonAuthed;
  const account = connection.session?.account.name;
  return {
    kind: isCall ? 'service-method' : 'cm',
    host: connectionManager,
    path: isCall ? methodName(targetJobName) : messageName(message),
    ...(account === undefined ? {} : { account }),
  };
}
