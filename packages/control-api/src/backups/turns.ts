import { Problem } from '@steward/shared/problems/problem';

/** One piece of work on the saves and their backups at a time: whoever comes second is told what is under way. */
export class Turns {
  #doing: string | undefined;

  take(doing: string): Disposable {
    if (this.#doing !== undefined)
      throw new Problem('backup-under-way', `${this.#doing}: ask again once that is done`);
    this.#doing = doing;
    return {
      [Symbol.dispose]: () => {
        this.#doing = undefined;
      },
    };
  }
}
