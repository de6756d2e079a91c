import { encode } from 'uqr';

/** A reader wants this much light around the code, in modules. */
const quietZone = 4;

/** How the code gets its contrast: colours of its own, or the terminal's, which is taken to write light on dark. */
export type QrPaint = 'colours' | 'characters';

// Black on white whatever the terminal's colours are; those that know no bright white take the other.
const blackOnWhite = '\u001b[30;47;107m';
const plain = '\u001b[0m';

/** Two rows of modules in a line of text, since characters are twice as high as wide. */
export function qrLines(text: string, paint: QrPaint): string[] {
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

export function qrColumns(text: string): number {
  return encode(text, { border: quietZone }).size;
}

function half(upperIsDark: boolean, lowerIsDark: boolean, paint: QrPaint): string {
  const isInk = paint === 'colours';
  const upper = upperIsDark === isInk;
  const lower = lowerIsDark === isInk;
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
