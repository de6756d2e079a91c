import { whereLet } from '../key.ts';

/** How long a tab that leads may take to say so: to one that begins, and to one that looks after it. */
const answerMs = { first: 150, later: 1_000 } as const;
const lookEveryMs = 3_000;

type Said<Word> =
  | { readonly is: 'who'; readonly id: string }
  | { readonly is: 'leads'; readonly id: string }
  | { readonly is: 'leaves'; readonly id: string }
  | { readonly is: 'wake'; readonly id: string }
  | { readonly is: 'told'; readonly id: string; readonly word: Word };

interface Told<Word> {
  /** Does for all tabs what one is to do, until the signal. */
  readonly lead: (until: AbortSignal) => void;
  /** What the leading tab told. */
  readonly hear: (word: Word) => void;
  /** What somebody who has just come has to know. */
  readonly greet: () => void;
  /** Somebody in another tab wants it tried at once. */
  readonly wake: () => void;
}

/**
 * One of the tabs of a browser leads, and tells the others. One that is closed says so; one that sleeps does not answer. Either is
 * replaced. Where two lead for a moment, the one with the lower name goes on. Works without HTTPS, as locks of the browser do not.
 */
export class Tabs<Word> {
  readonly #id = `${performance.timeOrigin}-${Math.random()}`;
  readonly #told: Told<Word>;
  /** None where the browser forbids it: such a tab leads itself. */
  readonly #channel: BroadcastChannel | undefined;
  #leading: AbortController | undefined;
  #awaited: ReturnType<typeof setTimeout> | undefined;
  readonly #looking: ReturnType<typeof setInterval>;

  constructor(name: string, told: Told<Word>) {
    this.#told = told;
    this.#channel = whereLet(() => new BroadcastChannel(name));
    this.#channel?.addEventListener('message', ({ data }) => this.#heard(data as Said<Word>));
    this.#looking = setInterval(() => this.look(), lookEveryMs);
    addEventListener('pagehide', this.#leave);
    addEventListener('pageshow', this.#look);
    this.#ask(answerMs.first);
  }

  get leads(): boolean {
    return this.#leading !== undefined;
  }

  tell(word: Word): void {
    this.#say({ is: 'told', id: this.#id, word });
  }

  /** Whether somebody leads still: nobody who cannot be seen needs to know. */
  look(): void {
    if (this.leads || document.visibilityState === 'hidden') return;
    this.#ask(answerMs.later);
  }

  /** Has another tab that leads try at once. */
  wake(): void {
    this.#say({ is: 'wake', id: this.#id });
    this.look();
  }

  close(): void {
    removeEventListener('pagehide', this.#leave);
    removeEventListener('pageshow', this.#look);
    clearInterval(this.#looking);
    this.#leave();
    this.#channel?.close();
  }

  readonly #look = () => this.look();

  readonly #leave = () => {
    clearTimeout(this.#awaited);
    this.#awaited = undefined;
    if (!this.leads) return;
    this.#stepDown();
    this.#say({ is: 'leaves', id: this.#id });
  };

  #heard(said: Said<Word>): void {
    if (said.is === 'told') {
      if (!this.leads) this.#told.hear(said.word);
    } else if (said.is === 'who') {
      if (!this.leads) return;
      this.#say({ is: 'leads', id: this.#id });
      this.#told.greet();
    } else if (said.is === 'wake') {
      if (this.leads) this.#told.wake();
    } else if (said.is === 'leaves') this.#ask(answerMs.first);
    else if (!this.leads) {
      clearTimeout(this.#awaited);
      this.#awaited = undefined;
    } else if (said.id < this.#id) this.#stepDown();
    else this.#say({ is: 'leads', id: this.#id });
  }

  #ask(withinMs: number): void {
    if (this.#awaited !== undefined) return;
    this.#awaited = setTimeout(() => {
      this.#awaited = undefined;
      this.#leading = new AbortController();
      this.#say({ is: 'leads', id: this.#id });
      this.#told.lead(this.#leading.signal);
    }, withinMs);
    this.#say({ is: 'who', id: this.#id });
  }

  #stepDown(): void {
    this.#leading?.abort();
    this.#leading = undefined;
  }

  #say(said: Said<Word>): void {
    this.#channel?.postMessage(said);
  }
}
