import { wordWrap } from '@steward/service-kit/text/layout';
import { encode } from 'uqr';
import { type Screen, sizeOf } from '../run/screen.ts';
import type { ShownCode } from './terminal.ts';

interface Shown {
  readonly address: string;
  readonly note: string;
}

const wholeScreen = '\u001b[H\u001b[J';

/**
 * Draws a code, its address and a note; the next one goes into the same place where the cursor can be moved there. What does not
 * fit would be cut off or broken, and no phone reads half a code: then the address stands alone.
 */
export class CodeScreen implements ShownCode {
  readonly #screen: Screen;
  readonly #paint: QrPaint;
  #drawn = 0;
  #shown: Shown = { address: '', note: '' };

  constructor(screen: Screen, paint: QrPaint) {
    this.#screen = screen;
    this.#paint = paint;
    if (paint === 'colours') screen.on('resize', this.#resized);
  }

  show(shown: Shown): void {
    const { columns, rows } = sizeOf(this.#screen);
    const mayMove = this.#paint === 'colours' && this.#drawn > 0 && this.#drawn < rows;
    const isKnown = shown.address === this.#shown.address;
    this.#shown = shown;
    if (!mayMove && isKnown) this.#screen.write(`${wordWrap(shown.note, columns).join('\n')}\n`);
    else this.#draw(mayMove ? `\u001b[${this.#drawn}A\r\u001b[J` : '');
  }

  done(): void {
    this.#screen.off('resize', this.#resized);
  }

  /** Where the lines are now that a terminal has broken anew, only the terminal knows: the code gets the screen to itself. */
  readonly #resized = (): void => {
    if (this.#drawn > 0) this.#draw(wholeScreen);
  };

  #draw(before: string): void {
    const { address, note } = this.#shown;
    const { columns, rows } = sizeOf(this.#screen);
    const code = qrLines(address, this.#paint);
    const wide = Math.max(columns, qrColumns(address));
    // The line that the cursor stands in is one of the rows, too.
    const high = code.length + rowsOf(address, wide) + wordWrap(note, wide).length + 1;
    const fits = wide <= columns && high <= rows;
    const above = fits ? code : wordWrap(tooSmall(qrColumns(address), high), columns);
    const below = wordWrap(note, columns);
    this.#screen.write(`${before}${[...above, address, ...below].join('\n')}\n`);
    this.#drawn = above.length + rowsOf(address, columns) + below.length;
  }
}

function tooSmall(columns: number, rows: number): string {
  return `This window is too small for the code, which needs ${columns} columns and ${rows} rows. Open the address on the phone, or make the window larger:`;
}

/** An address that is wider than the window takes more than one line of it. */
function rowsOf(address: string, columns: number): number {
  return Math.floor((address.length - 1) / columns) + 1;
}

/** A reader wants this much light around the code, in modules. */
const quietZone = 4;

/** How the code gets its contrast: colours of its own, or the terminal's, which is taken to write light on dark. */
type QrPaint = 'colours' | 'characters';

// Black on white whatever the terminal's colours are; those that know no bright white take the other.
const blackOnWhite = '\u001b[30;47;107m';
const plain = '\u001b[0m';

/** Two rows of modules in a line of text, since characters are twice as high as wide. */
function qrLines(text: string, paint: QrPaint): string[] {
  const { data } = encode(text, { border: quietZone });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const upper = data[row] ?? [];
    const lower = data[row + 1] ?? [];
    const halves = upper.map((isDark, column) => half(isDark, lower[column] ?? false, paint)).join('');
    lines.push(paint === 'colours' ? `${blackOnWhite}${halves}${plain}` : halves);
  }
  return lines;
}

function qrColumns(text: string): number {
  return encode(text, { border: quietZone }).size;
}

function half(upperIsDark: boolean, lowerIsDark: boolean, paint: QrPaint): string {
  const isInk = paint === 'colours';
  const upper = upperIsDark === isInk;
  const lower = lowerIsDark === isInk;
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
