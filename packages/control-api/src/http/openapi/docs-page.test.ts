import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactAnswers, exactDocument, ownServer } from './docs-page.ts';

/** As the browser gets it: from its source alone. */
function inBrowser<Plugin>(plugin: () => Plugin): Plugin {
  return new Function(`return (${plugin.toString()})()`)() as Plugin;
}

const { responseBody } = inBrowser(exactAnswers).wrapComponents;

function shown(content: unknown, contentType = 'application/json') {
  const system = { React: { createElement: (_component: unknown, props: object) => props } };
  return responseBody('original', system)({ content, contentType }) as {
    content: unknown;
    contentType: string;
  };
}

it('shows every digit of an id', () => {
  const answer =
    '{"players":[{"id":620826087702429092,"idStr":"620826087702429092"},{"id":-7,"at":1.5e300}]}';
  expect(shown(answer)).toEqual({
    contentType: 'text/plain',
    content: `{
  "players": [
    {
      "id": 620826087702429092,
      "idStr": "620826087702429092"
    },
    {
      "id": -7,
      "at": 1.5e+300
    }
  ]
}`,
  });
});

it('lays out any other answer as the page would', () => {
  const small = fc
    .jsonValue()
    .filter((value) => !/\d{16}/.test(JSON.stringify(value).replace(/"[^"]*"/g, '')));
  fc.assert(
    fc.property(small, (value) => {
      expect(shown(JSON.stringify(value)).content).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

it.each(['not JSON', '{"cut":', ''])('leaves %j to the page', (content) => {
  expect(shown(content)).toEqual({ content, contentType: 'application/json' });
});

it('leaves what is no JSON alone', () => {
  expect(shown('620826087702429092', 'text/plain').content).toBe('620826087702429092');
});

const { statePlugins, wrapComponents } = inBrowser(exactDocument);
const { wrapActions } = statePlugins.spec;
const { HighlightCode, JSONSchema202012JSONViewer } = wrapComponents;

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

it('sends what is tried out to where the page comes from', () => {
  const { updateJsonSpec } = inBrowser(ownServer).statePlugins.spec.wrapActions;
  const document = { openapi: '3.1.0', servers: [{ url: '/' }] };
  expect(updateJsonSpec((given) => given)(document)).toEqual({
    openapi: '3.1.0',
    servers: [{ url: '..', description: 'this server' }],
  });
});
