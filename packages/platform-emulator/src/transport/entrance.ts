import { loopback } from './listen.ts';

/** Where the emulator's proxy listens, and by which name clients reach it. Everything else it has stays on loopback. */
export interface Entrance {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** What the content servers are called, too: clients reach them through the proxy. */
  readonly name: string;
}

export const loopbackEntrance: Entrance = { host: loopback, port: 0, name: loopback };
