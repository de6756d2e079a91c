import { setImmediate as turn } from 'node:timers/promises';
import type { AuditQuery, AuditReader, AuditRow } from '../tables/audit.ts';
import type { Writer } from '../writing/writer.ts';
import { type ReadingParts, readUnlocked } from './read-unlocked.ts';

/** Looked through in one turn of the event loop: a millisecond's worth. */
const numbersAtOnce = 2_000;

/** A line that has no number yet. */
export type NewAuditRow = Omit<AuditRow, 'number'>;

/** `after` and `before` are each the number of a line, or a time, which stands for the first line from then on. */
export interface AuditPage extends Pick<AuditQuery, 'limit' | 'from' | 'having'> {
  readonly after?: number | Date | undefined;
  readonly before?: number | Date | undefined;
}

export interface KeptAuditParts extends ReadingParts {
  readonly writer: Pick<Writer, 'write'>;
  /** Throws a StoreError where there is no database. */
  readonly reader: () => AuditReader;
}

/** Lines about who did what, in the order in which they came to be, each under a number that no other ever has. */
export class KeptAudit {
  readonly #parts: KeptAuditParts;
  #given: number | undefined;

  constructor(parts: KeptAuditParts) {
    this.#parts = parts;
  }

  /**
   * Notes what has begun, on the disk before whatever is asked to be written after it; by its number its line ends it. `noted` is for
   * whoever does it elsewhere than in the database. Throws a StoreError where there is no database.
   */
  begin(
    what: Omit<NewAuditRow, 'outcome' | 'operation'>,
    durability: 'durable' | 'late',
  ): { readonly number: number; readonly noted: Promise<unknown> } {
    const number = this.#next();
    const noted = this.#parts.writer.write({ kind: 'audit-begin', number, ...what }, durability);
    // What keeps it from the disk keeps its line from there, too, which somebody waits for.
    noted.catch(() => {});
    return { number, noted };
  }

  /** Of what has begun under that number: which operation it turned out to be. */
  begunIs(number: number, operation: string, what: Omit<NewAuditRow, 'outcome' | 'operation'>): void {
    this.#parts.writer.write({ kind: 'audit-begin', number, operation, ...what }, 'late').catch(() => {});
  }

  /** Resolves when the line is kept; rejects with a StoreError where it is not known to be. */
  async keep(row: NewAuditRow, durability: 'durable' | 'late', begun: number | null = null): Promise<void> {
    await this.#parts.writer.write({ kind: 'audit', begun, number: this.#next(), ...row }, durability);
  }

  /** The newest lines of operations of which it is not known yet how they ended. */
  async unsettled(most: number): Promise<AuditRow[]> {
    return await this.#read((reader) => reader.unsettled(most));
  }

  /** Looks through what is kept piece by piece, so that others have their turn. */
  async page({ after, before, limit, from, having }: AuditPage): Promise<AuditRow[]> {
    const end = (this.#given ?? this.#parts.reader().last) + 1;
    const last = Math.min(end, before === undefined ? end : await this.#placeOf(before, end));
    const least = await this.#read((reader) => reader.first() - 1);
    // Of a time the line that it stands for is one of them.
    const first = Math.max(
      least,
      after === undefined ? least : (await this.#placeOf(after, end)) - Number(after instanceof Date),
    );
    const found: AuditRow[] = [];
    for (let [low, high] = [first, last]; low + 1 < high && found.length < limit; ) {
      if (low !== first || high !== last) await turn();
      const piece =
        from === 'oldest'
          ? { after: low, before: Math.min(high, low + numbersAtOnce + 1) }
          : { after: Math.max(low, high - numbersAtOnce - 1), before: high };
      const rest = limit - found.length;
      found.push(...(await this.#read((reader) => reader.page({ ...piece, limit: rest, from, having }))));
      // Most numbers are no line, and where a database took another's place there are billions that are none.
      if (from === 'oldest') low = (await this.#read((reader) => reader.from(piece.before))) - 1;
      else high = (await this.#read((reader) => reader.upTo(piece.after))) + 1;
    }
    return found;
  }

  async #placeOf(place: number | Date, end: number): Promise<number> {
    if (typeof place === 'number') return place;
    return (await this.#read((reader) => reader.since(place.getTime()))) ?? end;
  }

  #read<Found>(read: (reader: AuditReader) => Found): Promise<Found> {
    return readUnlocked(this.#parts, () => read(this.#parts.reader()));
  }

  #next(): number {
    this.#given = (this.#given ?? this.#parts.reader().last) + 1;
    return this.#given;
  }
}
