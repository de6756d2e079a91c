import jsQr from 'jsqr';
import type { TerminalProgram } from './terminal-program.ts';

/** Pixels for each half of a character; the reader wants some. */
const scale = 4;
const dark = 0;
const light = 255;

type Line = NonNullable<ReturnType<TerminalProgram['terminal']['buffer']['active']['getLine']>>;
type Cell = NonNullable<ReturnType<Line['getCell']>>;

/** Reads the QR code that a phone would see on this screen: light on dark, where the program chose no colours. */
export function codeOnScreen({ terminal }: TerminalProgram): string | undefined {
  const { active } = terminal.buffer;
  const halves: number[][] = [];
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const cells = Array.from({ length: terminal.cols }, (_, column) => line?.getCell(column));
    halves.push(cells.map((cell) => shades(cell)[0]));
    halves.push(cells.map((cell) => shades(cell)[1]));
  }
  const width = terminal.cols * scale;
  const height = halves.length * scale;
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const shade = halves[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? dark;
      pixels.set([shade, shade, shade, light], (y * width + x) * 4);
    }
  }
  return jsQr.default(pixels, width, height)?.data;
}

/** The upper and the lower half of a character. */
function shades(cell: Cell | undefined): readonly [number, number] {
  if (cell === undefined) return [dark, dark];
  const ink = cell.isFgDefault() ? light : shadeOf(cell.getFgColor());
  const paper = cell.isBgDefault() ? dark : shadeOf(cell.getBgColor());
  switch (cell.getChars()) {
    case '█':
      return [ink, ink];
    case '▀':
      return [ink, paper];
    case '▄':
      return [paper, ink];
    default:
      return [paper, paper];
  }
}

/** Of the sixteen colours, black is the one that this is about. */
function shadeOf(paletteColour: number): number {
  return paletteColour === 0 ? dark : light;
}
