import type { Fate } from './scripted-world.ts';

export const farmSaved = (number: number) => ({
  type: 'farm.saved',
  at: '2026-11-22T19:00:00.000Z',
  cursor: `k-${number}`,
  data: { saveGeneration: number },
});

/** As the server writes it. */
export const told = (event: { readonly cursor: string }) =>
  `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`;

/** Where the reader is, with nothing beside it. */
export const placed = (cursor: string) => `:\nid: ${cursor}\n\n`;

export const begun = 'retry: 2000\n:\n\n';

/** A stream into which a test writes; given up by its reader, it fails as that of a `fetch` does. */
export class ScriptedStream {
  isOpen = false;
  isGivenUp = false;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #first: readonly string[];

  constructor(...first: readonly string[]) {
    this.#first = first;
  }

  readonly fate: Fate = ({ signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.isGivenUp = true;
      },
    });
    signal.addEventListener('abort', () => {
      this.isGivenUp = true;
      // It may be over already.
      if (this.isOpen) this.#controller?.error(signal.reason);
      this.isOpen = false;
    });
    this.isOpen = true;
    for (const text of this.#first) this.say(text);
    return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  };

  say(text: string): void {
    this.write(this.#encoder.encode(text));
  }

  write(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
  }

  /** As a server does that stops. */
  end(): void {
    this.isOpen = false;
    this.#controller?.close();
  }

  cut(): void {
    this.isOpen = false;
    this.#controller?.error(new TypeError('terminated'));
  }
}

/** Says this, and ends. */
export const streams =
  (...texts: readonly string[]): Fate =>
  (asked) => {
    const stream = new ScriptedStream(...texts);
    const response = stream.fate(asked);
    stream.end();
    return response;
  };
