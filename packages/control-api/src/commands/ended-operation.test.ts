import { expect, it } from 'vitest';
import { endedOperation } from './ended-operation.ts';

/** How the operation stands, at one look after the other. */
function answering(...looks: object[]) {
  return async () => looks.shift() ?? {};
}

it('waits for the end, and hands out what has changed', async () => {
  const ask = answering({ state: 'claimed' }, { state: 'applied', after: { backup: 'b' } });
  expect(await endedOperation(ask, '7', 'No backup was made')).toEqual({ backup: 'b' });
});

it.each([
  ['void', 'the disk is full', 'No backup was made: the disk is full (operation 7)'],
  ['refused', undefined, 'No backup was made: refused (operation 7)'],
  ['unknown', 'it was killed', 'It is not known whether that was done: it was killed (operation 7)'],
])('says of one that ends as %s only what is known', async (state, why, says) => {
  const ended = endedOperation(answering({ state, why }), '7', 'No backup was made');
  await expect(ended).rejects.toThrow(says);
});
