import { type Clock, systemClock } from '@steward/service-kit/clock';
import { type ProcessLike, sameSignalMs } from '@steward/service-kit/process/ending';
import { PlatformFailure } from '../../platform/failure.ts';
import { isLibraryLeak } from '../../platform/library-leak.ts';
import { CommandFailure } from './command-failure.ts';

/** Everything that can end a command from outside: a key, a signal, an error that nobody caught. */
export class Interruption {
  readonly #abort = new AbortController();
  #torn: Promise<unknown> = Promise.resolve();
  #reason = (): unknown => undefined;
  /** What has become of the command's work, for the one who ends it: said once what must be whole is. */
  aftermath = 'nothing was changed';

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  listen(host: ProcessLike = process, clock: Clock = systemClock): void {
    let endedAt = 0;
    const note = () => {
      endedAt = clock.now();
    };
    this.signal.addEventListener('abort', note, { once: true });
    host.on('SIGINT', () => {
      if (!this.signal.aborted) this.byKey();
      else if (clock.now() - endedAt > sameSignalMs) host.exit(this.#byKey().exitCode);
    });
    for (const signal of ['SIGTERM', 'SIGHUP'])
      host.on(signal, () =>
        this.#end(() => new CommandFailure('terminated', `${signal}: ${this.aftermath}`)),
      );
    for (const event of ['uncaughtException', 'unhandledRejection'])
      host.on(event, (cause) => this.#end(() => (isLibraryLeak(cause) ? new PlatformFailure(leak) : cause)));
  }

  /** Ctrl-C, or whatever else means it. */
  byKey(): void {
    this.#end(() => this.#byKey());
  }

  /** What the work comes to, or the interruption where that comes first. */
  async orEnd<T>(work: Promise<T>): Promise<T> {
    const interrupted = Promise.withResolvers<never>();
    const { signal } = this;
    signal.addEventListener('abort', () => interrupted.reject(signal.reason), { once: true });
    if (signal.aborted) interrupted.reject(signal.reason);
    const ended = await Promise.race([work, interrupted.promise]).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    await this.#torn;
    if ('result' in ended) return ended.result;
    throw signal.aborted && ended.error === signal.reason ? this.#reason() : ended.error;
  }

  /** What is finished once it is begun, and does not begin any more after an interruption. */
  whole<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const done = work();
    this.#torn = done.catch(() => {});
    return done;
  }

  #byKey(): CommandFailure {
    return new CommandFailure('interrupted', `Interrupted: ${this.aftermath}`);
  }

  #end(reason: () => unknown): void {
    if (this.signal.aborted) return;
    this.#reason = reason;
    this.#abort.abort(reason());
  }
}

const leak = { class: 'transient', reason: 'An error in a platform library' } as const;
