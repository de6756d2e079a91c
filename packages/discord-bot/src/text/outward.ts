import { oneLine } from '@steward/shared/chat/line';
import { isBlank } from '@steward/shared/text';

/** What Discord takes of one message, in UTF-16 units: it never counts more than these. */
export const mostContent = 2_000;

/** So that a long line leaves room for who says it. */
const mostLine = 1_700;

/** Of a name that stands within a line. */
export const mostNameShown = 160;

const endMark = '…';

/** What stays as it is: people click on it. */
const link = /https?:\/\/[^\s<>`|\\]+/g;

const anywhere = /[\\`*_~|[\]]/;

/** What begins a mention, a time, an emoji or a command behind `<`, and what stands for everybody behind `@`. */
const opening = /<(?=[@#:/]|a:|t:|id:)|@(?=everyone|here)/gi;

/** Headings, quotes, lists and small print are so only where a line begins. */
const lineStart = /^(\s*)(?:([>#+-])|(\d+)([.)]))/;

const unseen = '\u200b';

/**
 * A line from the game as it is shown in Discord: nothing of it is markup, nobody is mentioned by it, and links stay whole. What is
 * too long ends in a mark.
 */
export function harmless(text: string, most = mostLine): string {
  const line = oneLine(text);
  if (isBlank(line)) return '';
  const pieces = [...piecesOf(line)];
  const whole = pieces.join('');
  return whole.length <= most ? whole : `${beginning(pieces, most - endMark.length).trimEnd()}${endMark}`;
}

/** Each is whole or not there. */
function* piecesOf(line: string): Generator<string> {
  let from = 0;
  for (const { 0: whole, index } of line.matchAll(link)) {
    yield* wordsOf(line.slice(from, index), from === 0);
    yield whole;
    from = index + whole.length;
  }
  yield* wordsOf(line.slice(from), from === 0);
}

function* wordsOf(text: string, isStart: boolean): Generator<string> {
  const started = isStart
    ? text.replace(lineStart, (_all, spaces: string, sign?: string, number?: string, end?: string) =>
        sign === undefined ? `${spaces}${number}\u0001${end}` : `${spaces}\u0001${sign}`,
      )
    : text;
  const safe = started.replace(opening, (begin) => `${begin}${unseen}`);
  let isMarked = false;
  for (const { segment } of new Intl.Segmenter('en').segment(safe)) {
    // Controls are gone from what is said, so that this one is ours: what follows it would begin something.
    if (segment === '\u0001') isMarked = true;
    else {
      yield isMarked || anywhere.test(segment) ? [...segment].map(escaped(isMarked)).join('') : segment;
      isMarked = false;
    }
  }
}

const escaped =
  (isMarked: boolean) =>
  (character: string, index: number): string =>
    (isMarked && index === 0) || anywhere.test(character) ? `\\${character}` : character;

function beginning(pieces: readonly string[], most: number): string {
  let fits = '';
  for (const piece of pieces) {
    if (fits.length + piece.length > most) break;
    fits += piece;
  }
  return fits;
}

const mostName = 80;

const lookAlikes: Readonly<Record<string, string>> = { e: 'е', E: 'Е', o: 'о', O: 'О' };

/** A webhook may not be called what Discord is called, nor what stands for everybody: those letters look the same and are others. */
const refusedNames = /discord|clyde|^(?:everyone|here)$/gi;

/** What the webhook is called by which the bot tells the news of the farm. */
export const newsName = 'Farm';

/** What a webhook is called that speaks for a player; nothing where nothing of the name can be seen, or it looks like the news. */
export function webhookName(name: string): string | undefined {
  const line = oneLine(name);
  const segments = Array.from(new Intl.Segmenter('en').segment(line), ({ segment }) => segment);
  const shown = beginning(segments, mostName).trim();
  // One character may be longer than what Discord takes of a name.
  if (isBlank(shown) || seenOf(shown) === seenOf(newsName)) return undefined;
  return shown.replace(refusedNames, (refused) =>
    refused.replace(/[eo]/gi, (letter) => lookAlikes[letter] ?? letter),
  );
}

/** What shows of a name, in one case and width. */
function seenOf(name: string): string {
  const shown = [...name.normalize('NFKC')].filter((character) => !isBlank(character));
  return shown.join('').toLowerCase();
}
