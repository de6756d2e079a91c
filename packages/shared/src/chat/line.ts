import { playerTextCharacters } from '../bridge/ranges.ts';
import { accepted, type Parsed, refused } from '../parsed.ts';
import { fromFirstVisible, isBlank } from '../text.ts';
import { chatLimits } from './rules.ts';

// A line break or a tab separates words; the controls that turn the writing direction could disguise who speaks.
const spaces = /[\s\u0085]+/gu;
const controls = /[^\P{Cc}\s\u0085]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const mark = '…';

const nobody = 'Anonymous';

/** What is shown of a text that somebody gave, and whether that is all of it. */
export interface Shown {
  readonly text: string;
  readonly isCut: boolean;
}

/** How long a text is, as whoever shows it counts. */
export type Measure = (text: string) => number;

/** Who says it. An empty author stands for nobody; one that only looks empty would stand for anybody. */
export function shownAuthor(given: string, measure?: Measure): Parsed<Shown> {
  const author = oneLine(given);
  if (author !== '' && isBlank(author)) return refused('has no visible character');
  return accepted(cut(author || nobody, chatLimits.authorCharacters, measure));
}

/** What is said. */
export function shownMessage(given: string, measure?: Measure): Parsed<Shown> {
  const line = oneLine(given);
  if (isBlank(line)) return refused('is empty, or has no visible character');
  return accepted(cut(line, chatLimits.messageCharacters, measure));
}

/** Why a player is kept out or sent away, as they are shown it. */
export function shownReason(given: string): Parsed<Shown> {
  const line = oneLine(given);
  if (isBlank(line)) return refused('is empty, or has no visible character');
  return accepted(cut(line, playerTextCharacters));
}

/** One line that a game may show: no control characters, single spaces, and what shows first, if anything does. */
export function oneLine(text: string): string {
  const line = text.toWellFormed().replace(controls, '').replace(spaces, ' ').trim();
  return fromFirstVisible(line) || line;
}

/** As much of a line as is so long, in code points unless it is measured otherwise; where that is not all, it ends in a mark. */
export function cut(text: string, longest: number, measure: Measure = codePoints): Shown {
  if (measure(text) <= longest) return { text, isCut: false };
  const fits = beginning(text, longest - measure(mark), measure);
  return { text: `${fits.trimEnd()}${mark}`, isCut: true };
}

export function codePoints(text: string): number {
  return Array.from(text).length;
}

/** As much as fits of the characters that people see as one, such as an emoji of several; of a first one that is too long, a part. */
function beginning(text: string, longest: number, measure: Measure): string {
  let fits = '';
  let left = longest;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    left -= measure(segment);
    if (left < 0) break;
    fits += segment;
  }
  if (fits !== '') return fits;
  for (const codePoint of text) {
    if (measure(fits + codePoint) > longest) break;
    fits += codePoint;
  }
  return fits;
}

/** A line that begins with `!`, as it is seen, is for the game alone: it may hold a password. */
export function isChatCommand(message: string): boolean {
  return fromFirstVisible(message).startsWith('!');
}
