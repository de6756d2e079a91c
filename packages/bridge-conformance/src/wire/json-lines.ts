import type { Readable, Writable } from 'node:stream';
import { type Line, LineSplitter } from '@steward/shared/bridge/line-splitter';
import { frameLimitBytes } from '@steward/shared/bridge/protocol';

const lineFeed = 0x0a;

/** A stream of lines in both directions, whatever carries it. */
export class JsonLines {
  readonly #output: Writable;
  readonly #end: () => void;
  #ended = false;
  /** What waits for the end of a line that is written by halves. */
  readonly #held: string[] = [];
  #midLine = false;

  constructor(
    streams: { readonly input: Readable; readonly output: Writable; readonly end: () => void },
    on: { readonly line: (line: Line) => void; readonly ended: () => void },
  ) {
    this.#output = streams.output;
    this.#end = streams.end;
    const splitter = new LineSplitter(frameLimitBytes);
    const ended = () => {
      if (this.#ended) return;
      this.#ended = true;
      on.ended();
    };
    streams.input.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        if (!this.#ended) on.line(line);
      }
    });
    streams.input.on('end', ended);
    streams.input.on('close', ended);
    streams.input.on('error', ended);
    streams.output.on('error', ended);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** A whole line; while `raw` has left one unfinished it waits, or it would land in the middle of that. */
  send(document: unknown): void {
    const line = `${JSON.stringify(document)}\n`;
    if (this.#midLine) this.#held.push(line);
    else this.#write(line);
  }

  /** Bytes as they are, for those who test how lines are read; without a line feed at their end the line stays open. */
  raw(text: string | Uint8Array): void {
    const bytes = Buffer.from(text);
    if (bytes.length === 0) return;
    this.#write(bytes);
    this.#midLine = bytes.at(-1) !== lineFeed;
    if (this.#midLine) return;
    for (const line of this.#held.splice(0)) this.#write(line);
  }

  end(): void {
    this.#end();
  }

  #write(bytes: string | Uint8Array): void {
    if (this.#output.writable) this.#output.write(bytes);
  }
}

/** Whether it is no print that shares the stream. The lines of a mod loader's log begin with `[`, too; a batch is JSON. */
export function isMeantAsMessage(text: string, reason: string): boolean {
  if (text.trimStart().startsWith('{') || reason.startsWith('is a batch')) return true;
  // Behind a print that does not end its line it is lost; behind `[` a mod loader logs it.
  const opens = text.indexOf('{');
  return opens > 0 && !text.trimStart().startsWith('[') && text.includes('"jsonrpc"', opens);
}

/** Other JSON is a print for the control API, which goes on waiting for `hello`; so is what a mod logs of its own messages. */
export function mayBeHello(text: string): boolean {
  return /^\s*\[?\s*\{/.test(text) && /"jsonrpc"|"method"\s*:\s*"hello"/.test(text);
}
