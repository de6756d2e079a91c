import { randomBytes } from 'node:crypto';
import { platformAccountRange } from '@steward/shared/ids';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { issueAppTicket, readAppTicket } from './app-ticket.ts';

const key = Buffer.alloc(32, 7);
const account = platformAccountRange.min + 42n;

it('reads whose ticket it is, for any account and app', () => {
  const accounts = fc.bigInt(platformAccountRange.min, platformAccountRange.max);
  fc.assert(
    fc.property(accounts, fc.nat({ max: 2 ** 31 - 1 }), (account, appId) => {
      const ticket = issueAppTicket({ account, appId }, key, randomBytes);
      expect(readAppTicket(ticket, key)).toEqual({ ok: true, value: { account, appId } });
    }),
  );
});

it('refuses a ticket that was encrypted with another key', () => {
  const ticket = issueAppTicket({ account, appId: 413150 }, Buffer.alloc(32, 8), randomBytes);
  expect(readAppTicket(ticket, key)).toMatchObject({ ok: false });
});

it('refuses a ticket in which any one byte was changed, or reads the same account from it', () => {
  const ticket = issueAppTicket({ account, appId: 413150 }, key, randomBytes);
  fc.assert(
    fc.property(fc.nat({ max: ticket.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const forged = Buffer.from(ticket);
      forged.writeUInt8(forged.readUInt8(at) ^ flip, at);
      const read = readAppTicket(forged, key);
      // Version and the length of the ownership part stand in the clear and prove nothing.
      if (read.ok) expect(read.value).toEqual({ account, appId: 413150 });
    }),
  );
});

it('refuses anything else without a crash', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(readAppTicket(Buffer.from(bytes), key).ok).toBe(false);
    }),
  );
});

it('refuses the ticket of something that is no person', () => {
  const ticket = issueAppTicket({ account: 90071992547409921n, appId: 1 }, key, randomBytes);
  expect(readAppTicket(ticket, key)).toEqual({
    ok: false,
    reason: 'does not belong to the account of a person',
  });
});
