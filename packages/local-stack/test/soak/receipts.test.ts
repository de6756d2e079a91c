import { expect, it } from 'vitest';
import { Receipts } from './receipts.ts';

function kept() {
  const violations: string[] = [];
  return { violations, receipts: new Receipts('bot', violations) };
}

it('counts what became of everything that was said', () => {
  const { violations, receipts } = kept();
  receipts.came({ id: receipts.next(), status: 'delivered' });
  receipts.next();
  receipts.lost();
  receipts.check(Number.POSITIVE_INFINITY);
  expect(receipts.counts).toEqual({ delivered: 1, 'lost with the connection': 1 });
  expect(violations).toEqual([]);
});

it('notices a receipt that comes twice, and one that never comes', () => {
  const { violations, receipts } = kept();
  const id = receipts.next();
  receipts.came({ id, status: 'delivered' });
  receipts.came({ id, status: 'delivered' });
  receipts.next();
  receipts.check(Number.POSITIVE_INFINITY);
  expect(violations).toEqual([
    'bot-1 has a second receipt: delivered',
    'bot-2 has no receipt after Infinity ms',
  ]);
});
