/** The way to one client: whole frames in, a close out. */
export interface Channel {
  /** Bytes that were written and that the client has not taken. */
  readonly unread: number;
  /** Returns whether the client takes more at once; if not, `whenTaken` says when it does. */
  write(frame: Buffer): boolean;
  /** Calls back once, when everything that was written is taken. */
  whenTaken(action: () => void): void;
  close(code: number, reason: string): void;
  /** Ends it without a word: the other side is gone. */
  terminate(): void;
}
