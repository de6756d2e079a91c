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

/** A text, one of the signs that structure a document, or a run of anything else. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:]+/gs;

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
  for (const { 0: text, index } of json.matchAll(token)) {
    if (depth === 1 && (text === ',' || text === '}')) end(index);
    else if (depth === 1 && key === undefined && text.startsWith('"')) {
      key = String(JSON.parse(text));
      start = index;
    }
    if (text === '{' || text === '[') depth += 1;
    if (text === '}' || text === ']') depth -= 1;
  }
  return members;
}
