import { shownReason } from '../chat/line.ts';
import { form, type Kind } from '../kinds.ts';
import { accepted, refused } from '../parsed.ts';
import { importedCharacters } from '../player-list.ts';

export const moderationLimits = {
  /** Of each of the two lists. */
  rows: 5_000,
  importedCharacters,
} as const;

/** The two lists: who is kept out, and who alone comes in where there is such a list. */
export const moderationLists = ['bans', 'allowlist'] as const;

export type ModerationList = (typeof moderationLists)[number];

/** Why somebody is kept out or sent away, in words for them. What is too long is cut by who shows it. */
export const shownWhy: Kind<string> = {
  allowed: 'text with a visible character',
  json: { type: 'string', minLength: 1 },
  parse(text) {
    const shown = shownReason(text);
    return shown.ok ? accepted(text) : shown;
  },
};

/** Whether it is one, who has a library for that says. */
export const addressOrNetwork = form({
  allowed: 'an address of IPv4 or IPv6, or a network, such as 198.51.100.7 or 2001:db8::/32',
  pattern: /^[0-9A-Fa-f:.]{2,45}(\/[0-9]{1,3})?$/,
  longest: 49,
});

export const rowId = form({
  allowed: 'the id of a row, as GET /bans or GET /allowlist lists it',
  pattern: /^row_[0-9a-f]{12}$/,
  longest: 16,
});

/** Which rows they are, who reads them says. */
export const importedRows: Kind<string> = {
  allowed: `a JSON array of rows, in at most ${moderationLimits.importedCharacters} characters`,
  json: { type: 'string', minLength: 2, maxLength: moderationLimits.importedCharacters },
  parse: (text) =>
    text.length > moderationLimits.importedCharacters ? refused('is too long') : accepted(text),
};
