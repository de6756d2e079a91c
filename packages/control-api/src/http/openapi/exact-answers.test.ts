import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactAnswers } from './exact-answers.ts';

/** As the browser gets it: from its source alone. */
const inBrowser = new Function(`return (${exactAnswers.toString()})()`)() as ReturnType<typeof exactAnswers>;

function shown(content: unknown, contentType = 'application/json') {
  const system = { React: { createElement: (_component: unknown, props: object) => props } };
  return inBrowser.wrapComponents.responseBody('original', system)({ content, contentType }) as {
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
