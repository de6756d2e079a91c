import type { Clock, Timer } from '@steward/service-kit/clock';
import type { ContentDirectory } from '../../platform/platform-session.ts';
import type { DownloadEvents } from '../progress/progress.ts';
import { asThrown, type DownloadNews, type Question, type ToWorker } from './process-messages.ts';

/** What is told goes over in bundles: a tree of many small files would be as many messages. */
const bundleMs = 100;

/** The platform's directory as the process that downloads has it: every question goes to the service, which has the session. */
export class RemoteDirectory implements ContentDirectory {
  readonly #ask: (id: number, question: Question) => void;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #questions = 0;

  /** After `signal` no answer is waited for any more: whoever would give it may be gone. */
  constructor(ask: (id: number, question: Question) => void, signal: AbortSignal) {
    this.#ask = ask;
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const { reject } of this.#waiting.values()) reject(signal.reason);
    });
  }

  ownsApp: ContentDirectory['ownsApp'] = (...args) => this.#answer({ method: 'ownsApp', args });
  productInfo: ContentDirectory['productInfo'] = (...args) => this.#answer({ method: 'productInfo', args });
  depotKey: ContentDirectory['depotKey'] = (...args) => this.#answer({ method: 'depotKey', args });
  requestCode: ContentDirectory['requestCode'] = (...args) => this.#answer({ method: 'requestCode', args });
  servers: ContentDirectory['servers'] = (...args) => this.#answer({ method: 'servers', args });
  serverToken: ContentDirectory['serverToken'] = (...args) => this.#answer({ method: 'serverToken', args });

  answered(message: Extract<ToWorker, { readonly id: number }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.answer);
    else waiting?.reject(asThrown(message.why));
  }

  /** What comes back is what the method of that name answered on the other side. */
  async #answer<T>(question: Question): Promise<T> {
    this.#signal.throwIfAborted();
    const waiting = Promise.withResolvers<unknown>();
    this.#questions += 1;
    this.#waiting.set(this.#questions, waiting);
    this.#ask(this.#questions, question);
    return (await waiting.promise) as T;
  }
}

/** Passes on what a download tells, without what nobody on the other side looks at. */
export class EventRelay implements DownloadEvents {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #send: (events: readonly DownloadNews[]) => void;
  #waiting: DownloadNews[] = [];
  #next: Timer | undefined;

  constructor(clock: Pick<Clock, 'after'>, send: (events: readonly DownloadNews[]) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  stage: DownloadEvents['stage'] = (stage) => this.#tell(['stage', stage]);
  checkBegins: DownloadEvents['checkBegins'] = (bytes) => this.#tell(['checkBegins', bytes]);
  checked: DownloadEvents['checked'] = ({ name, bytes }) => this.#tell(['checked', { name, bytes }]);
  planned: DownloadEvents['planned'] = (figures, freeBytes) => this.#tell(['planned', figures, freeBytes]);
  fetched: DownloadEvents['fetched'] = ({ bytes, storedBytes }) =>
    this.#tell(['fetched', { bytes, storedBytes }]);
  written: DownloadEvents['written'] = ({ bytes, storedBytes }, { name, bytes: ofFile }) =>
    this.#tell(['written', { bytes, storedBytes }, { name, bytes: ofFile }]);
  warning: DownloadEvents['warning'] = (text) => this.#tell(['warning', text]);

  flush(): void {
    this.#next?.cancel();
    this.#next = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length > 0) this.#send(events);
  }

  #tell(news: DownloadNews): void {
    this.#waiting.push(news);
    this.#next ??= this.#clock.after(bundleMs, () => this.flush());
  }
}
