import fc from 'fast-check';
import { damaged } from './bytes.ts';
import { anyText } from './text.ts';

const deep = 20_000;

/** Source texts of JSON values that readers have stumbled over somewhere. */
const strange = [
  ...[
    'null',
    'true',
    '0',
    '-0',
    '-1',
    '1.5',
    '1e999',
    '-1e999',
    '1e-999',
    '""',
    '[]',
    '{}',
    '[[]]',
    '[null]',
  ],
  // Where a number and its digits part ways, and where 32 and 64 bits end.
  ...['2147483648', '4294967296', '9007199254740993', '-9223372036854775809', '18446744073709551616'],
  ...[
    '"0"',
    '"007"',
    '"-0"',
    '"+5"',
    '"1e3"',
    '"18446744073709551616"',
    '"\\u0000"',
    '"\\ud800"',
    '"../../x"',
  ],
  ...['"__proto__"', '"constructor"', '"toString"', '"\\u202e"', '"\\n"', '"!x"'],
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
];

/** Large ones, which are rarer: each takes its time. */
const excessive = [
  '['.repeat(deep) + ']'.repeat(deep),
  `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
  '['.repeat(deep),
  '7'.repeat(10_000),
  `-${'7'.repeat(400)}`,
  JSON.stringify('x'.repeat(10_000)),
  JSON.stringify(' '.repeat(10_000)),
  JSON.stringify('\\"'.repeat(5_000)),
  `[${'0,'.repeat(5_000)}0]`,
];

const strangeKeys = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', '', 'x', '\u0000'];

interface Edit {
  readonly how: 'replace' | 'remove' | 'twice' | 'add' | 'wrap';
  readonly at: number;
  readonly key: string;
  readonly source: string;
}

const source = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...strange) },
  { weight: 8, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 4, arbitrary: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom(...excessive) },
);

const edit: fc.Arbitrary<Edit> = fc.record({
  how: fc.constantFrom('replace', 'remove', 'twice', 'add', 'wrap'),
  at: fc.nat(),
  key: fc.oneof(fc.constantFrom(...strangeKeys), fc.string({ maxLength: 5 })),
  source,
});

/** Texts of JSON near the samples: members replaced, left out, added, doubled; sometimes no JSON any more at all. */
export function hostileJson(...samples: readonly unknown[]): fc.Arbitrary<string> {
  const near = fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 3 }))
    .map(([sample, edits]) =>
      edits.reduce((text, each) => new Edited(text, each).text, JSON.stringify(sample)),
    );
  const broken = damaged(near.map((text) => Buffer.from(text))).map((bytes) => bytes.toString('utf8'));
  return fc.oneof(
    { weight: 12, arbitrary: near },
    { weight: 4, arbitrary: broken },
    { weight: 2, arbitrary: source },
    { weight: 2, arbitrary: anyText({ maxLength: 60 }) },
  );
}

/** A document's text with one change, which stands where counting its values from the front has come to. */
class Edited {
  readonly text: string;
  readonly #edit: Edit;
  #left: number;

  constructor(text: string, change: Edit) {
    this.#edit = change;
    this.#left = Number.NaN;
    this.text = text;
    const value = parsed(text);
    // What another change has made unreadable or immense stays as it is.
    if (value === undefined || text.length > 5_000) return;
    this.#left = change.at % valuesIn(value.read);
    this.text = this.#print(value.read);
  }

  #print(value: unknown): string {
    const isHere = this.#left === 0;
    this.#left -= 1;
    const { how, key, source } = this.#edit;
    if (isHere && how === 'replace') return source;
    const text = this.#plain(value, isHere);
    if (isHere && how === 'wrap') return `{${JSON.stringify(key)}:[${text}]}`;
    return text;
  }

  #plain(value: unknown, isHere: boolean): string {
    const { how, key, source } = this.#edit;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#print(item));
      return `[${changed(items, isHere, how, source).join(',')}]`;
    }
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).map(
      ([name, item]) => `${JSON.stringify(name)}:${this.#print(item)}`,
    );
    return `{${changed(members, isHere, how, `${JSON.stringify(key)}:${source}`).join(',')}}`;
  }
}

function changed(
  parts: readonly string[],
  isHere: boolean,
  how: Edit['how'],
  added: string,
): readonly string[] {
  if (!isHere) return parts;
  if (how === 'remove') return parts.slice(1);
  if (how === 'twice') return [...parts, ...parts];
  return how === 'add' ? [...parts, added] : parts;
}

function parsed(text: string): { readonly read: unknown } | undefined {
  try {
    return { read: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + valuesIn(item), 1);
}
