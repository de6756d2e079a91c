const beginning = /^[ \t]*(?:it|describe|test)\b/gm;
const modifiers = /(?:\.\w+)*/y;
const types = /<[^()]*?>(?=\()/y;
const string = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/y;
const space = /\s*/y;
const comment = /\/\/[^\n]*/y;

/** The titles of the tests and of their groups in a test's source, those of tables as they are written. */
export function titlesIn(source: string): string[] {
  return [...source.matchAll(beginning)]
    .map((begin) => titleAt(source, begin.index + begin[0].length))
    .filter((title) => title !== undefined);
}

/** `it('title'`, `it.concurrent('title'`, `it.each<Types>([…])('title'`. */
function titleAt(source: string, from: number): string | undefined {
  const chain = taken(modifiers, source, from) ?? '';
  let at = from + chain.length;
  if (chain.endsWith('.each')) {
    at += taken(types, source, at)?.length ?? 0;
    at = afterParentheses(source, at);
  }
  if (source[at] !== '(') return undefined;
  at += 1;
  at += taken(space, source, at)?.length ?? 0;
  const literal = taken(string, source, at);
  return literal?.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** Past a pair of parentheses and everything between, strings and comments included. */
function afterParentheses(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; ) {
    const passed = taken(string, source, at) ?? taken(comment, source, at);
    if (passed !== undefined) {
      at += passed.length;
      continue;
    }
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return source.length;
}

function taken(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
