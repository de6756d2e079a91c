import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

const byteOrderMark = '\uFEFF';

/** The settings have three; the reader is recursive, and would come to the end of its stack in some thousands. */
const mostLevels = 100;

const shownLength = 60;

/** The tree of a document that is sound as a whole, or what is wrong with it and where. */
export function parseDocument(file: string): Parsed<Node> {
  const errors: ParseError[] = [];
  const source = file.startsWith(byteOrderMark) ? ` ${file.slice(1)}` : file;
  if (isTooDeep(source)) return refused(`it is nested more than ${mostLevels} levels deep`);
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    return refused(`${printParseErrorCode(error.error)} ${place(source, error.offset)}`);
  return root?.type === 'object' ? accepted(root) : refused('it is not a JSON object');
}

/** The value of a key, in any case. Of several the last one counts, as everywhere in JSON. */
export function memberOf(object: Node | undefined, ...keys: readonly string[]): Node | undefined {
  const wanted = keys.map((key) => key.toLowerCase());
  const member = object?.children?.findLast(({ children: [key] = [] }) =>
    wanted.includes(String(key?.value).toLowerCase()),
  );
  return member?.children?.[1];
}

/** A value of the file, as a warning repeats it: warnings travel in answers, and the file is whatever somebody wrote. */
export function shownText(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `in line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function isTooDeep(source: string): boolean {
  const scanner = createScanner(source, true);
  let level = 0;
  while (scanner.getPosition() < source.length && level <= mostLevels) {
    scanner.scan();
    const first = source.charAt(scanner.getTokenOffset());
    if (first === '{' || first === '[') level += 1;
    if (first === '}' || first === ']') level -= 1;
  }
  return level > mostLevels;
}
