import type { WebSocket } from 'ws';
import type { Account } from '../accounts/accounts.ts';
import { encodeFrame, encodeMulti, type FrameHeader, type MultiForm } from '../wire/frame.ts';
import { messageNumbers } from '../wire/numbers.ts';
import { type MessageType, messageType } from '../wire/protobufs.ts';

// CMsgClientLoggedOff, in steammessages_clientserver_login.proto.
const loggedOff = messageType<{ eresult: number }>('CMsgClientLoggedOff');

/** A logged-on account on one connection. */
export interface CmSession {
  readonly account: Account;
  readonly connection: CmConnection;
  /** Never 0: clients take it for theirs from the header of any message. */
  readonly sessionId: number;
  /** Sessions of one account with the same logon id replace each other; other ones live side by side. */
  readonly logonId: number;
}

/** One client's WebSocket, before and after its logon. */
export class CmConnection {
  session: CmSession | undefined;
  /** While true nothing is answered, not even a ping: the line looks alive and is not. */
  silent = false;
  readonly #socket: WebSocket;
  readonly #multiForm: MultiForm;

  constructor(socket: WebSocket, multiForm: MultiForm) {
    this.#socket = socket;
    this.#multiForm = multiForm;
  }

  /** A frame with this connection's identity in its header, ready to send alone or inside a Multi. */
  frame<Body extends object>(
    message: number,
    type: MessageType<Body>,
    body: Body,
    header: FrameHeader = {},
  ): Buffer {
    return encodeFrame({
      message,
      header: { ...this.#identity(), ...header },
      body: type.encode(body),
    });
  }

  send<Body extends object>(
    message: number,
    type: MessageType<Body>,
    body: Body,
    header?: FrameHeader,
  ): void {
    this.#write(this.frame(message, type, body, header));
  }

  sendEncoded(message: number, body: Buffer, header: FrameHeader): void {
    this.#write(encodeFrame({ message, header: { ...this.#identity(), ...header }, body }));
  }

  sendMulti(frames: readonly Buffer[]): void {
    this.#write(encodeMulti(frames, this.#multiForm));
  }

  /** Tells the client why it is no longer logged on, then closes. */
  kick(eresult: number): void {
    this.send(messageNumbers.ClientLoggedOff, loggedOff, { eresult });
    // What is still on its way from the client finds nobody logged on.
    this.session = undefined;
    this.#socket.close();
  }

  close(): void {
    this.#socket.close();
  }

  /** Cuts the line without a word. */
  drop(): void {
    this.#socket.terminate();
  }

  #identity(): FrameHeader {
    return {
      steamid: this.session?.account.steamId ?? '0',
      client_sessionid: this.session?.sessionId ?? 0,
    };
  }

  #write(frame: Buffer): void {
    if (!this.silent && this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame);
  }
}

/** Who is logged on now. */
export class CmSessions {
  readonly #online = new Set<CmSession>();
  readonly #endings: ((session: CmSession) => void)[] = [];

  get all(): readonly CmSession[] {
    return [...this.#online];
  }

  of(account: Account): readonly CmSession[] {
    return this.all.filter((session) => session.account === account);
  }

  begin(session: CmSession): void {
    this.#online.add(session);
  }

  end(session: CmSession): void {
    if (!this.#online.delete(session)) return;
    for (const listener of this.#endings) listener(session);
  }

  /** Called once for each session, however it ended. */
  onEnd(listener: (session: CmSession) => void): void {
    this.#endings.push(listener);
  }
}
