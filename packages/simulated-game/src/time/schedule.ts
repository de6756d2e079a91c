/** Something that has been put down for later and can be taken back. */
export interface Appointment {
  readonly at: number;
  cancel(): void;
}

interface Entry extends Appointment {
  readonly order: number;
  readonly action: () => void;
  cancelled: boolean;
}

/**
 * The farm's own time, in milliseconds since it opened. It moves only when told to, so that a test can play a month in
 * a second and a running farm can stand still. What is due at the same moment happens in the order it was asked for.
 */
export class Schedule {
  #now = 0;
  #order = 0;
  readonly #heap: Entry[] = [];

  get now(): number {
    return this.#now;
  }

  /** When the next thing is due, if anything is. */
  get next(): number | undefined {
    this.#dropCancelled();
    return this.#heap[0]?.at;
  }

  after(milliseconds: number, action: () => void): Appointment {
    const entry: Entry = {
      at: this.#now + Math.max(0, milliseconds),
      order: this.#order++,
      action,
      cancelled: false,
      cancel() {
        entry.cancelled = true;
      },
    };
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
    return entry;
  }

  /** Does all that falls due, in order, and ends exactly `milliseconds` later. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    while (this.step(end));
    this.#now = end;
  }

  /** Does the one next thing that is due by `end`; false when there is none. */
  step(end: number): boolean {
    this.#dropCancelled();
    const entry = this.#heap[0];
    if (entry === undefined || entry.at > end) return false;
    this.#removeFirst();
    this.#now = entry.at;
    entry.action();
    return true;
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.cancelled === true) this.#removeFirst();
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  #sink(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const earliest = this.#earlier(right, left) ? right : left;
      if (!this.#swapIfEarlier(earliest, index)) return;
      index = earliest;
    }
  }

  #swapIfEarlier(index: number, than: number): boolean {
    const one = this.#heap[index];
    const other = this.#heap[than];
    if (one === undefined || other === undefined || !this.#earlier(index, than)) return false;
    this.#heap[index] = other;
    this.#heap[than] = one;
    return true;
  }

  #earlier(index: number, than: number): boolean {
    const one = this.#heap[index];
    const other = this.#heap[than];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }
}
