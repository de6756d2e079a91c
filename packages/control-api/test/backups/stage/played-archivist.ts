import { ThreadArchivist } from '../../../src/backups/archive/thread-archivist.ts';

type Pack = ThreadArchivist['pack'];

/** The service's own, of which a test knows when it begins, and does something meanwhile. */
export class PlayedArchivist extends ThreadArchivist {
  /** How often an archive was begun. */
  begun = 0;
  /** What happens when an archive is begun for that time. */
  meanwhile: (time: number, signal?: AbortSignal) => void | Promise<void> = () => {};
  readonly #first = Promise.withResolvers<void>();

  get firstBegun(): Promise<void> {
    return this.#first.promise;
  }

  override async pack(...[job, signal]: Parameters<Pack>): ReturnType<Pack> {
    this.begun += 1;
    this.#first.resolve();
    await this.meanwhile(this.begun, signal);
    return await super.pack(job, signal);
  }
}
