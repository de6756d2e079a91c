import { isPlayerText, playerTextName, seenText } from './player-text.ts';

/** What an answer becomes: plain JSON, without a number that could be rounded. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

export interface Compacting {
  readonly showsPlayerText: boolean;
  /** How much of a list is shown; how much is not is told beside it. */
  readonly mostListed: number;
  /** How much of the answer's own lists was seen before. */
  readonly skipped?: number;
  /** Whether the answer's own lists are shown, and were seen, from their end. */
  readonly isNewestLast?: boolean;
}

/** What says nothing to who reads an answer once. */
const ofNoUse: ReadonlySet<string> = new Set(['success', 'requestId']);

/**
 * An answer of the API in few words: each id once and as text, lists cut, and whatever players said or are called apart from all else,
 * so that nobody takes it for the farm's own words.
 */
export function compact(
  answer: object,
  { skipped = 0, isNewestLast = false, ...how }: Compacting,
): { readonly [name: string]: Plain } {
  const own: Record<string, Plain> = {};
  const said: Record<string, Plain> = {};
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined || ofNoUse.has(name) || isTwin(name, answer)) continue;
    if (name === 'version' && typeof value === 'number') continue;
    const into = isPlayerText(name, answer) ? said : own;
    if (!Array.isArray(value)) into[name] = plain(value, how);
    else {
      const left = Math.max(value.length - skipped - how.mostListed, 0);
      const unseen = isNewestLast
        ? value.slice(left, Math.max(value.length - skipped, 0))
        : value.slice(skipped);
      into[name] = plain(unseen, how);
      if (left > 0) own[`${name}LeftOut`] = left;
    }
  }
  if (how.showsPlayerText && Object.keys(said).length > 0) own[playerTextName] = said;
  return own;
}

function plain(value: unknown, how: Compacting): Plain {
  if (typeof value === 'string') return seenText(value);
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.slice(0, how.mostListed).map((item) => plain(item, how));
  if (typeof value === 'object' && value !== null) return compact(value, how);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The text of an id that stands beside it: the client gives that as a bigint, which becomes the same text. */
function isTwin(name: string, answer: object): boolean {
  const twin = /^(.+)Str(s?)$/.exec(name);
  return twin !== null && Object.hasOwn(answer, `${twin[1]}${twin[2]}`);
}
