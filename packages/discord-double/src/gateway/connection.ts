import { constants, createDeflate } from 'node:zlib';
import { readJson } from '@steward/service-kit/json';
import { GatewayCloseCodes, GatewayDispatchEvents, GatewayOpcodes } from 'discord-api-types/v10';
import type { RawData, WebSocket } from 'ws';
import type { GatewayFaults } from '../faults/gateway-faults.ts';
import { RateWindow } from '../rules/limits.ts';
import type { World } from '../world/world.ts';
import {
  beatForm,
  type Identify,
  identifyForm,
  type Presence,
  parsed,
  payloadForm,
  presenceForm,
  type Resume,
  resumeForm,
} from './forms.ts';
import { type Payload, Session } from './session.ts';

/** After so many intervals without a beat a connection is given up. */
const patience = 1.5;

/** `start anew`: the client is told that its session is no more, and may identify on the same connection. */
export type Refusal = GatewayCloseCodes | 'start again';

/** What a connection asks of the gateway that it belongs to. */
export interface Sessions {
  readonly begin: (form: Identify) => Session | Refusal;
  /** Told to a session that has begun, before all else. */
  readonly welcome: (session: Session) => void;
  readonly find: (form: Resume) => Session | Refusal;
  readonly setPresence: (presence: Presence) => void;
  /** The connection is no more; a client that has said goodbye does not come back. */
  readonly leave: (connection: Connection, hasSaidGoodbye: boolean) => void;
}

export interface ConnectionParts {
  readonly socket: WebSocket;
  readonly world: World;
  readonly faults: GatewayFaults;
  readonly sessions: Sessions;
  readonly compress: boolean;
}

/** A client's way into the gateway: greeted, then known by a session, and shut out at the first thing it does wrong. */
export class Connection {
  session: Session | undefined;
  readonly #parts: ConnectionParts;
  readonly #sends = new RateWindow();
  readonly #write: (payload: Payload) => void;
  #silence: { cancel(): void } | undefined;
  #isClosing = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    const { socket, faults, world, sessions } = parts;
    this.#write = writerOf(socket, parts.compress);
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      this.#silence?.cancel();
      sessions.leave(this, !this.#isClosing && (code === 1_000 || code === 1_001));
    });
    if (faults.withholdHello) return;
    this.#expectBeat();
    this.say(GatewayOpcodes.Hello, { heartbeat_interval: world.limits.heartbeatMs });
  }

  say(op: GatewayOpcodes, d: unknown): void {
    this.#write({ op, d, s: null, t: null });
  }

  /** Says why, and hangs up. */
  close(code: number): void {
    this.#isClosing = true;
    this.#parts.socket.close(code, GatewayCloseCodes[code] ?? '');
  }

  /** Hangs up without a word. */
  drop(): void {
    this.#parts.socket.terminate();
  }

  #take(data: RawData, isBinary: boolean): void {
    if (this.#isClosing) return;
    const wrong = this.#heed(String(data), isBinary);
    if (wrong === 'start again') this.say(GatewayOpcodes.InvalidSession, false);
    else if (wrong !== undefined) this.close(wrong);
  }

  /** Does what the client says, or says what is wrong with it. */
  #heed(text: string, isBinary: boolean): Refusal | undefined {
    const { limits, clock } = this.#parts.world;
    if (this.#sends.take(clock.now(), limits.gatewaySends).isRefused) return GatewayCloseCodes.RateLimited;
    if (isBinary || Buffer.byteLength(text) > limits.gatewayPayloadBytes)
      return GatewayCloseCodes.DecodeError;
    const { op, d } = parsed(payloadForm, readJson(text)) ?? {};
    if (op === undefined) return GatewayCloseCodes.DecodeError;
    if (op === GatewayOpcodes.Heartbeat) return this.#beat(d);
    if (op === GatewayOpcodes.Identify) return this.#identify(d);
    if (op === GatewayOpcodes.Resume) return this.#resume(d);
    if (this.session === undefined) return GatewayCloseCodes.NotAuthenticated;
    // Of all else that a bot may ask of the gateway, this double knows its presence only.
    if (op !== GatewayOpcodes.PresenceUpdate) return GatewayCloseCodes.UnknownOpcode;
    const presence = parsed(presenceForm, d);
    if (presence === undefined) return GatewayCloseCodes.DecodeError;
    this.#parts.sessions.setPresence(presence);
    return undefined;
  }

  #identify(data: unknown): Refusal | undefined {
    if (this.session !== undefined) return GatewayCloseCodes.AlreadyAuthenticated;
    const form = parsed(identifyForm, data);
    if (form === undefined) return GatewayCloseCodes.DecodeError;
    const session = this.#parts.sessions.begin(form);
    if (!(session instanceof Session)) return session;
    this.#attach(session, 0);
    this.#parts.sessions.welcome(session);
    if (form.presence) this.#parts.sessions.setPresence(form.presence);
    return undefined;
  }

  #resume(data: unknown): Refusal | undefined {
    if (this.session !== undefined) return GatewayCloseCodes.AlreadyAuthenticated;
    const form = parsed(resumeForm, data);
    if (form === undefined) return GatewayCloseCodes.DecodeError;
    const session = this.#parts.sessions.find(form);
    if (!(session instanceof Session)) return session;
    if (this.#parts.faults.withholdResumed) return undefined;
    this.#attach(session, form.seq);
    session.dispatch(GatewayDispatchEvents.Resumed, {});
    return undefined;
  }

  /** Everything that is told to the session from now on, after what it has missed. */
  #attach(session: Session, heard: number): void {
    this.session = session;
    session.leftAt = undefined;
    session.send = this.#write;
    for (const missed of session.missedSince(heard)) this.#write(missed);
  }

  #beat(sequence: unknown): Refusal | undefined {
    if (parsed(beatForm, sequence) === undefined) return GatewayCloseCodes.DecodeError;
    this.#expectBeat();
    if (!this.#parts.faults.withholdAcks) this.say(GatewayOpcodes.HeartbeatAck, undefined);
    return undefined;
  }

  /** A client that falls silent is dead. */
  #expectBeat(): void {
    const { clock, limits } = this.#parts.world;
    this.#silence?.cancel();
    this.#silence = clock.after(limits.heartbeatMs * patience, () =>
      this.close(GatewayCloseCodes.SessionTimedOut),
    );
  }
}

/** Writes payloads as text, or through one compressed stream for the whole connection, each payload flushed to its end. */
function writerOf(socket: WebSocket, compress: boolean): (payload: object) => void {
  if (!compress) return (payload) => socket.send(JSON.stringify(payload));
  const deflate = createDeflate();
  let pieces: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => pieces.push(piece));
  socket.on('close', () => deflate.destroy());
  return (payload) => {
    deflate.write(JSON.stringify(payload));
    deflate.flush(constants.Z_SYNC_FLUSH, () => {
      socket.send(Buffer.concat(pieces));
      pieces = [];
    });
  };
}
