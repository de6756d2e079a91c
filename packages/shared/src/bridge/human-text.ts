import { z } from 'zod';

/** Words for a person. Too many of them are cut, not refused: a long reason must not cost the message that it stands in. */
export function humanText(longest: number) {
  return z.string().transform((text) => cut(text, longest));
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Half a character would not be text any more.
  return `${text
    .slice(0, longest - 1)
    .toWellFormed()
    .replace(/\ufffd$/u, '')}…`;
}
