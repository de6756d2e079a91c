import { Changes } from '@steward/testing/changes';
import type { Archivist } from '../../../src/backups/archive/archivist.ts';
import { oneArchivist } from './one-archivist.ts';

type Pack = Archivist['pack'];

/** The service's own, of which a test knows when it begins, and does something meanwhile. */
export class PlayedArchivist implements Archivist {
  readonly manifestOf = oneArchivist.manifestOf.bind(oneArchivist);
  readonly verify = oneArchivist.verify.bind(oneArchivist);
  readonly unpack = oneArchivist.unpack.bind(oneArchivist);
  /** How often an archive was begun. */
  begun = 0;
  /** What happens when an archive is begun for that time. */
  meanwhile: (time: number, signal?: AbortSignal) => void | Promise<void> = () => {};
  readonly #changes = new Changes();

  get firstBegun(): Promise<void> {
    return this.begunFor(1);
  }

  /** Resolves once one is begun for that time. */
  async begunFor(time: number): Promise<void> {
    const look = () => this.begun >= time || undefined;
    await this.#changes.until(look, { missing: () => `${time} archives were never begun` });
  }

  async pack(...[job, signal]: Parameters<Pack>): ReturnType<Pack> {
    this.begun += 1;
    this.#changes.told();
    await this.meanwhile(this.begun, signal);
    return await oneArchivist.pack(job, signal);
  }
}
