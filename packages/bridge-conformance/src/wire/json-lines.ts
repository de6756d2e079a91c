import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '@steward/shared/bridge/line-splitter';
import { frameLimitBytes } from '@steward/shared/bridge/protocol';

/** A stream of lines in both directions, whatever carries it. */
export class JsonLines {
  readonly #output: Writable;
  readonly #end: () => void;
  #ended = false;

  constructor(
    streams: { readonly input: Readable; readonly output: Writable; readonly end: () => void },
    on: { readonly line: (text: string) => void; readonly ended: () => void },
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
        if (!this.#ended) on.line(line.kind === 'line' ? line.text : `(${line.kind})`);
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

  send(document: unknown): void {
    this.raw(`${JSON.stringify(document)}\n`);
  }

  /** Bytes as they are, for those who test how lines are read. */
  raw(bytes: string | Uint8Array): void {
    if (this.#output.writable) this.#output.write(bytes);
  }

  end(): void {
    this.#end();
  }
}
