import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

const byteOrderMark = '\uFEFF';

/** The tree of a document that is sound as a whole, or what is wrong with it and where. */
export function parseDocument(file: string): Parsed<Node> {
  const errors: ParseError[] = [];
  const source = file.startsWith(byteOrderMark) ? ` ${file.slice(1)}` : file;
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    return refused(`${printParseErrorCode(error.error)} ${place(source, error.offset)}`);
  return root?.type === 'object' ? accepted(root) : refused('it is no JSON object');
}

/** The value of a key, in any case. Of several the last one counts, as everywhere in JSON. */
export function memberOf(object: Node | undefined, ...keys: readonly string[]): Node | undefined {
  const wanted = keys.map((key) => key.toLowerCase());
  const member = object?.children?.findLast(({ children: [key] = [] }) =>
    wanted.includes(String(key?.value).toLowerCase()),
  );
  return member?.children?.[1];
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `in line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
