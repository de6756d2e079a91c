/** By this list, and not by the disk, the game decides whether an asset exists: what it names and is not there ends in an error. */
export const contentHashesName = 'Content/ContentHashes.json';

const contentFolder = 'Content/';

/**
 * The list without the entries whose files are not there, compact; every other entry byte for byte as it was. Undefined when
 * the text is not such a list, which is then left alone.
 */
export async function prunedContentHashes(
  text: string,
  isThere: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const json = text.slice(mark.length);
  if (!isObject(json)) return undefined;
  const members = membersOf(json);
  const kept: Member[] = [];
  for (const member of members)
    if (await isThere(contentFolder + member.key.replaceAll('\\', '/'))) kept.push(member);
  // Nothing to leave out: then not a byte is changed.
  if (kept.length === members.length) return text;
  return `${mark}{${kept.map(({ source }) => source).join(',')}}`;
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

interface Member {
  readonly key: string;
  /** The member as it stands, without space around it. */
  readonly source: string;
}

/** What structures a document, or opens a text. */
const sign = /["{}[\],:]/g;

/** The members of a document that is known to be an object. Parsing and printing it would not give the same bytes back. */
function membersOf(json: string): readonly Member[] {
  const members: Member[] = [];
  let depth = 0;
  let key: string | undefined;
  let start = 0;
  const end = (at: number): void => {
    if (key !== undefined) members.push({ key, source: json.slice(start, at).trim() });
    key = undefined;
  };
  for (let found = nextSign(json, 0); found !== undefined; found = nextSign(json, found.end)) {
    const { first, index } = found;
    if (depth === 1 && (first === ',' || first === '}')) end(index);
    else if (depth === 1 && key === undefined && first === '"') {
      key = String(JSON.parse(json.slice(index, found.end)));
      start = index;
    }
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
  }
  return members;
}

/** The next sign from a place on; that of a text ends where the text does. */
function nextSign(json: string, from: number): { first: string; index: number; end: number } | undefined {
  sign.lastIndex = from;
  const found = sign.exec(json);
  if (found === null) return undefined;
  const { 0: first, index } = found;
  return { first, index, end: first === '"' ? endOfText(json, index) : index + 1 };
}

/** No pattern for this: one that takes a text whole keeps every character on a stack, which megabytes overflow. */
function endOfText(json: string, opening: number): number {
  let at = json.indexOf('"', opening + 1);
  while (isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let before = quote;
  while (json[before - 1] === '\\') before -= 1;
  return (quote - before) % 2 === 1;
}
