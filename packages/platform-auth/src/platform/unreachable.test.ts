import { expect, it } from 'vitest';
import { causeOf, certificateRemedy } from './unreachable.ts';

it.each([
  [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('x', { cause: Object.assign(new Error('y'), { code: 'ENOTFOUND' }) }), 'ENOTFOUND'],
  [new Error('Proxy CONNECT 407 Proxy Authentication Required'), 'the proxy answers 407'],
  [new Error('connect ECONNREFUSED 127.0.0.1:1080'), 'ECONNREFUSED'],
])('tells what is known of %s', (error, cause) => {
  expect(causeOf(error)).toBe(cause);
});

it.each([
  [new Error('no way to http://ann:SECRET@proxy:1')],
  [Object.assign(new Error('x'), { code: 'http://ann:SECRET@proxy:1' })],
  ['ECONNREFUSED'],
])('tells nothing of %s, which may quote a secret', (error) => {
  expect(causeOf(error)).toBeUndefined();
});

it.each(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])(
  'has the clock looked at before anything else when a certificate is of another time, %s',
  (cause) => {
    expect(certificateRemedy(cause)).toMatch(/^Check the clock of this machine first: .*; if it is right, /);
  },
);

it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  'says nothing of the clock when nobody vouches for a certificate, %s',
  (cause) => {
    expect(certificateRemedy(cause)).toMatch(
      /^A program in between reads the traffic: .*NODE_EXTRA_CA_CERTS/,
    );
  },
);
