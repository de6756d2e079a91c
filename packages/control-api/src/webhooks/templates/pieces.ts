import { type Trouble, troubleText } from '@steward/shared/problems/trouble';
import { capital, isBlank } from '@steward/shared/text';

/** What somebody else wrote: players, the game, a platform. Each template makes it harmless in its own way. */
export interface Theirs {
  readonly theirs: string;
}

/** A piece of what is told: our own words, or somebody else's. */
export type Piece = string | Theirs;

export function words(ours: TemplateStringsArray, ...values: readonly Theirs[]): readonly Piece[] {
  return ours.flatMap((text, index) => [text, values[index] ?? '']).filter((piece) => piece !== '');
}

const invisible = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** They would turn round what stands beside them. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of somebody else in one line, of at most so many characters; `instead` of one in which there is nothing to see. */
export function theirs(text: string, longest: number, instead = ''): Theirs {
  const line = text.toWellFormed().replace(direction, '').replace(invisible, ' ').trim();
  if (isBlank(line)) return { theirs: instead };
  const characters = [...line];
  return { theirs: characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…` };
}

/** How a receiver has to be told. */
export interface Manner {
  /** One character of somebody else's text, so that it means nothing but itself. */
  readonly harmless: (character: string) => string;
  /** As the receiver counts. */
  readonly size: (text: string) => number;
}

const cut = '…';

/** The pieces as one text that the receiver takes: what does not fit is cut off, never within a character or what it is escaped by. */
export function rendered(pieces: readonly Piece[], { harmless, size }: Manner, most: number): string {
  const characters = pieces.flatMap((piece) =>
    typeof piece === 'string' ? [...piece] : [...piece.theirs].map(harmless),
  );
  if (size(characters.join('')) <= most) return characters.join('');
  let left = most - size(cut);
  const end = characters.findIndex((character) => {
    left -= size(character);
    return left < 0;
  });
  return characters.slice(0, end).join('') + cut;
}

export const longest = { name: 60, word: 100, message: 1_000, code: 40 } as const;

export function name(text: string): Theirs {
  return theirs(text, longest.name, 'Somebody');
}

/** A state, a step or a command as people write it: `logged-in`, `setTime`. */
export function word(text: string): Theirs {
  const spaced = text
    .replaceAll(/[-_]/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_all, end, start) => `${end} ${start.toLowerCase()}`);
  return theirs(spaced, longest.word, '?');
}

export function code(text = ''): Theirs {
  return theirs(text, longest.code);
}

export function because(why: Trouble): readonly Piece[] {
  return [theirs(capital(troubleText(why)), longest.message)];
}
