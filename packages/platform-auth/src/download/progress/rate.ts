/** Long enough that a slow chunk does not show as a stop, short enough to show that the line got faster. */
const windowMs = 10_000;
const slotMs = 500;

interface Slot {
  readonly at: number;
  bytes: number;
}

/** How fast bytes come, over the last seconds. Times are those of a clock that never goes backwards. */
export class Rate {
  readonly #slots: Slot[] = [];
  #began: number | undefined;

  add(bytes: number, nowMs: number): void {
    this.#began ??= nowMs;
    const last = this.#slots.at(-1);
    if (last !== undefined && nowMs - last.at < slotMs) last.bytes += bytes;
    else this.#slots.push({ at: nowMs, bytes });
    this.#forget(nowMs);
  }

  perSecond(nowMs: number): number {
    this.#forget(nowMs);
    if (this.#began === undefined) return 0;
    const spanMs = Math.max(slotMs, Math.min(windowMs, nowMs - this.#began));
    const bytes = this.#slots.reduce((total, slot) => total + slot.bytes, 0);
    return (bytes * 1000) / spanMs;
  }

  #forget(nowMs: number): void {
    while (this.#slots[0] !== undefined && nowMs - this.#slots[0].at >= windowMs) this.#slots.shift();
  }
}
