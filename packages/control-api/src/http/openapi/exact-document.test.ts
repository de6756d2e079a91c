import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactDocument } from './exact-document.ts';

/** As the browser gets it: from its source alone. */
const inBrowser = new Function(`return (${exactDocument.toString()})()`)() as ReturnType<
  typeof exactDocument
>;
const { wrapActions } = inBrowser.statePlugins.spec;
const { HighlightCode, JSONSchema202012JSONViewer } = inBrowser.wrapComponents;

/** What the page makes of a document's text. */
function read(text: string): unknown {
  let document: unknown;
  const React = { createElement: (_component: unknown, props: object) => props };
  const system = { React, specActions: { updateJsonSpec: (parsed: unknown) => (document = parsed) } };
  wrapActions.parseToJson((unread) => (document = { unread }), system)(text);
  return document;
}

function props(wrapped: typeof HighlightCode | typeof JSONSchema202012JSONViewer, given: object): object {
  const React = { createElement: (_component: unknown, passed: object) => passed };
  return wrapped('original', { React, specActions: { updateJsonSpec: () => {} } })(given) as object;
}

it('writes an example that was read with every digit, however it was copied on the way', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n), (id) => {
      const copied = structuredClone(read(`{"id":${id},"idStr":"${id}"}`));
      const children = JSON.stringify(copied);
      expect(props(HighlightCode, { children })).toEqual({ children: `{"id":${id},"idStr":"${id}"}` });
    }),
  );
});

it('shows the examples of a schema as the numbers that they are', () => {
  const { examples } = read('{"examples":[620826087702429092,7,"7"]}') as { examples: unknown };
  expect(props(JSONSchema202012JSONViewer, { name: 'Examples', value: examples })).toEqual({
    name: 'Examples',
    value: [620826087702429092n, 7, '7'],
  });
});

it('reads everything else as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(!/\d{16}/.test(JSON.stringify(value)));
      expect(read(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it.each(['', '<html>', '{"cut":'])('leaves to the page what is no document: %j', (text) => {
  expect(read(text)).toEqual({ unread: text });
});

it('leaves to the page what is no text', () => {
  expect(props(HighlightCode, { children: undefined })).toEqual({ children: undefined });
  expect(props(JSONSchema202012JSONViewer, { value: { a: 1 } })).toEqual({ value: { a: 1 } });
});
