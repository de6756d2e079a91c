import type { AnswerOf } from '@steward/shared/api/answers';

/** What anybody may see, where PUBLIC_STATUS is set. */
export interface PublicCard {
  readonly name: string;
  readonly farmName: string;
  readonly day: number;
  readonly season: string;
  readonly year: number;
  readonly players: { readonly online: number; readonly most: number };
  readonly isJoinable: boolean;
  /** The platform’s own, which nobody else can use; the network’s while there is no other. */
  readonly inviteCode?: string;
  /** The network’s, for everybody. */
  readonly networkCode?: string;
}

export interface CardOptions {
  readonly instance: string;
  readonly showsCode: boolean;
}

type Status = AnswerOf<'getStatus'>;

export function publicCard(status: Status, { instance, showsCode }: CardOptions): PublicCard {
  const { farmName, day, season, year, playerCount, maxPlayers, isJoinable } = status;
  const { steamInviteCode, gogInviteCode: networkCode } = status;
  const inviteCode = steamInviteCode ?? networkCode;
  const hasCodes = showsCode && isJoinable;
  return {
    name: instance || farmName,
    farmName,
    day,
    season,
    year,
    players: { online: playerCount, most: maxPlayers },
    isJoinable,
    ...(hasCodes && inviteCode !== undefined ? { inviteCode } : {}),
    ...(hasCodes && networkCode !== undefined ? { networkCode } : {}),
  };
}

/** In the shape that badges have everywhere: what it is at the left, how it is at the right. */
export function badgeOf(card: PublicCard): string {
  const left = cut(card.name || 'farm');
  const { online, most } = card.players;
  const right = card.isJoinable ? `${online}/${most} · ${dateOf(card)}` : 'closed';
  const [leftWidth, rightWidth] = [left, right].map((text) => Math.round(widthOf(text)) + 2 * pad);
  const width = (leftWidth ?? 0) + (rightWidth ?? 0);
  const text = (at: number, said: string) =>
    `<text x="${at}" y="14" text-anchor="middle">${escaped(said)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${escaped(`${left}: ${right}`)}">`,
    `<title>${escaped(`${left}: ${right}`)}</title>`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${width}" height="20" fill="#3b3a36"/>`,
    `<rect x="${leftWidth}" width="${rightWidth}" height="20" fill="${card.isJoinable ? '#4c7a34' : '#8a5a2b'}"/></g>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    text((leftWidth ?? 0) / 2, left),
    text((leftWidth ?? 0) + (rightWidth ?? 0) / 2, right),
    '</g></svg>',
  ].join('');
}

const charWidth = 6.6;
/** Those of East Asia, with their kana and full stops, and pictures are as wide as they are high. */
const wideWidth = 11;
const wide = /[\p{Script=Han}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u30ff\uff01-\uff60]/u;
const pad = 7;
const longestName = 40;

function widthOf(text: string): number {
  return [...text].reduce((sum, each) => sum + (wide.test(each) ? wideWidth : charWidth), 0);
}

function cut(text: string): string {
  const all = [...text];
  return all.length <= longestName ? text : `${all.slice(0, longestName - 1).join('')}…`;
}

/** In words, where a farm is loaded. */
export function dateOf({ day, season, year }: PublicCard): string {
  return `${season.charAt(0).toUpperCase()}${season.slice(1)} ${day}, year ${year}`;
}

/** For text and attributes alike. */
export function escaped(text: string): string {
  return [...text]
    .filter(isOfXml)
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** No control characters, no halves of what takes two, and nothing else that would make the whole of it unreadable. */
function isOfXml(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x9 || code === 0xa;
  return !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code < 0xe000) && (code & 0xfffe) !== 0xfffe;
}
