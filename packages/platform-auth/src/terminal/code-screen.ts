import { wordWrap } from '@steward/service-kit/command-line/word-wrap';
import type { ShownCode } from './person.ts';
import { type QrPaint, qrColumns, qrLines } from './qr-lines.ts';
import { type Screen, sizeOf } from './screen.ts';

/** Draws a code, its address and a note; the next one goes into the same place where the cursor can be moved there. */
export class CodeScreen implements ShownCode {
  readonly #screen: Screen;
  readonly #paint: QrPaint;
  #drawn = 0;
  #address = '';

  constructor(screen: Screen, paint: QrPaint) {
    this.#screen = screen;
    this.#paint = paint;
  }

  show({ address, note }: { readonly address: string; readonly note: string }): void {
    const { columns, rows } = sizeOf(this.#screen);
    const mayMove = this.#paint === 'colours' && this.#drawn > 0 && this.#drawn < rows;
    if (!mayMove && address === this.#address)
      return void this.#screen.write(`${wordWrap(note, columns).join('\n')}\n`);
    this.#address = address;
    const code =
      qrColumns(address) <= columns
        ? qrLines(address, this.#paint)
        : wordWrap('This window is too narrow for the code. Open the address on the phone:', columns);
    const lines = [...code, address, ...wordWrap(note, columns)];
    const back = mayMove ? `\u001b[${this.#drawn}A\r\u001b[J` : '';
    this.#screen.write(`${back}${lines.join('\n')}\n`);
    // An address that is wider than the window takes more than one line of it.
    this.#drawn = lines.length + Math.floor((address.length - 1) / columns);
  }
}
