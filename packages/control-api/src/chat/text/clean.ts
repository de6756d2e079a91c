// A line break or a tab separates words; the controls that turn the writing direction could disguise who speaks.
const spaces = /[\s\u0085]+/gu;
const controls = /[^\P{Cc}\s\u0085]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line of text that a game may show: no control characters, single spaces, at most so many code points. */
export function cleanText(text: string, longest: number): string {
  const clean = text.toWellFormed().replace(controls, '').replace(spaces, ' ').trim();
  const cut = Array.from(clean.slice(0, longest * 2)).slice(0, longest);
  return cut.join('').trim();
}
