import { isBlank } from '@steward/shared/blank';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';

/** What a game may make the name of a file of. */
export const fileName = {
  allowed: '1 to 32 ASCII letters, digits, _ and -',
  pattern: /^[A-Za-z0-9_-]{1,32}$/,
} as const;

const longestName = 100;

const elsewhere = /[/\\\p{Cc}]/u;
const dots = /^\.+$/;

export const nameAllowed = `text of 1 to ${longestName} characters without /, \\ and control characters`;

/** What people call something. A game may keep it in a folder of that name, so none leads elsewhere. */
export function parseName(text: string): Parsed<string> {
  if (text.length > longestName) return refused('is too long');
  if (elsewhere.test(text) || dots.test(text)) return refused('could lead elsewhere');
  return isBlank(text) ? refused('has nothing to see') : accepted(text);
}

export function parseFileName(text: string): Parsed<string> {
  return fileName.pattern.test(text) ? accepted(text) : refused('is not that');
}
