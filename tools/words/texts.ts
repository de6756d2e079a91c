import { phrases } from './phrases.ts';

/** A line of what people read, where it stands. */
interface TextLine {
  readonly number: number;
  readonly text: string;
}

/** An exception stands in a comment on the line, or on the one before it, and says why. */
const exception = /plain-words: (?!--)\S+/;

const fenced = /^ *```/;
const inlineCode = /(`+)[^`]*?\1/g;

/** The prose of a page, without what is typed or printed. */
function proseOf(lines: readonly string[]): string[] {
  let isCode = false;
  return lines.map((line) => {
    const isFence = fenced.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? '' : line.replaceAll(inlineCode, '');
  });
}

const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const comment = /^\s*(?:\/\/|\*|\/\*)/;

/** The literals of code that have several words, each line of them where it stands: what has one word is a name. */
function wordsOf(lines: readonly string[]): string[] {
  const code = lines.map((line) => (comment.test(line) ? '' : line)).join('\n');
  const texts = lines.map(() => '');
  for (const { 0: text, index } of code.matchAll(literal)) {
    if (!text.includes(' ')) continue;
    const first = code.slice(0, index).split('\n').length - 1;
    for (const [below, line] of text.split('\n').entries()) texts[first + below] += ` ${line}`;
  }
  return texts;
}

/** What stands in comments that operators read, as in the compose file. */
function remarksOf(line: string): string {
  return /#.*/.exec(line)?.[0] ?? '';
}

function textsOf(path: string, lines: readonly string[]): string[] {
  if (path.endsWith('.md')) return proseOf(lines);
  return /\.(?:m?[jt]s|tsx)$/.test(path) ? wordsOf(lines) : lines.map(remarksOf);
}

/** Each line of a file that people read, except where a reason is given for its words. */
function textLines(path: string, content: string): readonly TextLine[] {
  const lines = content.split('\n');
  return textsOf(path, lines)
    .map((text, index) => ({ number: index + 1, text }))
    .filter(({ number }) => !exception.test(`${lines[number - 2] ?? ''}\n${lines[number - 1]}`));
}

/** What is to be written otherwise in a file, a line each. */
export function wrongWords(path: string, content: string): readonly string[] {
  return textLines(path, content).flatMap(({ number, text }) =>
    phrases.flatMap(({ avoid, write }) => {
      const [found] = avoid.exec(text) ?? [];
      return found === undefined ? [] : [`${path}:${number}: “${found}”: write ${write}`];
    }),
  );
}
