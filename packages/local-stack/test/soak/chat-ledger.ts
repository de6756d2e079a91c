/** One stretch of the control API's event log, over restarts, as bots have heard it. */
type Epoch = Map<number, string>;

/** A kill leaves more numbers than this behind, and no life of the service has so many events. */
const leftByKill = 16_384;

interface Ear {
  /** Everything after this number it has to hear; undefined until it has a place. */
  from: number | undefined;
  last: number;
  readonly heard: Set<number>;
  /** What it was told that it may never hear: numbers behind the first, up to and with the second. */
  readonly lost: (readonly [after: number, upTo: number])[];
}

/** What every bot was told, by the cursors that came with it: all have to hear the same, each once, in order. */
export class ChatLedger {
  readonly violations: string[] = [];
  readonly #epochs = new Map<string, Epoch>();
  readonly #ears = new Map<string, Map<string, Ear>>();
  readonly #listened = new Map<string, Set<string>>();
  #lines = 0;

  get lines(): number {
    return this.#lines;
  }

  get told(): number {
    return [...this.#epochs.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** All that was said, in its order. */
  get all(): readonly string[] {
    return [...this.#epochs.values()].flatMap((told) =>
      [...told].toSorted(([one], [other]) => one - other).map(([, text]) => text),
    );
  }

  /** The bot has its place: all that comes after it, it will hear. */
  placed(bot: string, cursor: string): void {
    const [epoch, number] = read(cursor);
    const ear = this.#ear(bot, epoch);
    ear.from ??= number;
    ear.last = Math.max(ear.last, number);
  }

  /** What was missed is said to be gone: right after a kill alone, when everything since then follows. */
  gap(bot: string, before: string, now: string): void {
    const [was, after] = read(before);
    const [is, number] = read(now);
    const ear = this.#ear(bot, is);
    ear.from ??= 0;
    if (was !== is) return;
    const upTo = number - leftByKill;
    if (upTo < after)
      this.violations.push(`${bot} was told of a gap while the server lived on, before ${now}`);
    ear.lost.push([after, upTo]);
  }

  heard(bot: string, cursor: string, text: string): void {
    const [epoch, number] = read(cursor);
    const told = this.#told(epoch);
    const others = told.get(number);
    if (others !== undefined && others !== text)
      this.violations.push(`${cursor} is “${others}” to others, and “${text}” to ${bot}`);
    told.set(number, text);
    const ear = this.#ear(bot, epoch);
    if (number <= ear.last)
      this.violations.push(`${bot} heard ${cursor} after ${epoch}-${ear.last}: twice, or out of order`);
    ear.from ??= number - 1;
    ear.last = Math.max(ear.last, number);
    ear.heard.add(number);
    for (const [end, hearers] of this.#listened) if (text.endsWith(end)) hearers.add(bot);
    this.#lines += 1;
  }

  /** Whatever any bot was told must have come to each that was there, up to the last that it heard. */
  compare(): void {
    for (const [epoch, told] of this.#epochs)
      for (const [bot, ears] of this.#ears) {
        const ear = ears.get(epoch);
        if (ear?.from === undefined) continue;
        for (const [number, text] of told)
          if (number > ear.from && number <= ear.last && !ear.heard.has(number) && !isLost(ear, number))
            this.violations.push(`${bot} never heard ${epoch}-${number}, “${text}”`);
      }
  }

  /** From now on it is known who hears a line that ends so. */
  listenFor(text: string): ReadonlySet<string> {
    const hearers = new Set<string>();
    this.#listened.set(text, hearers);
    return hearers;
  }

  noMore(text: string): void {
    this.#listened.delete(text);
  }

  #told(epoch: string): Epoch {
    const known: Epoch = this.#epochs.get(epoch) ?? new Map<number, string>();
    this.#epochs.set(epoch, known);
    return known;
  }

  #ear(bot: string, epoch: string): Ear {
    const ears = this.#ears.get(bot) ?? new Map<string, Ear>();
    this.#ears.set(bot, ears);
    const ear = ears.get(epoch) ?? { from: undefined, last: 0, heard: new Set(), lost: [] };
    ears.set(epoch, ear);
    return ear;
  }
}

function isLost({ lost }: Ear, number: number): boolean {
  return lost.some(([after, upTo]) => after < number && number <= upTo);
}

function read(cursor: string): readonly [string, number] {
  const [epoch = '', number = ''] = cursor.split('-');
  return [epoch, Number(number)];
}
