import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uint64Range } from './ids.ts';
import { inviteCode, inviteCodePrefixes, parseInviteCode } from './invite-code.ts';

const anyPrefix = fc.constantFrom(...inviteCodePrefixes);
const anyLobby = fc.bigInt(uint64Range.min, uint64Range.max);

it('gives back the lobby that it was made from, in any case and with spaces around it', () => {
  fc.assert(
    fc.property(anyPrefix, anyLobby, (prefix, lobbyId) => {
      const code = inviteCode(prefix, lobbyId);
      for (const text of [code, code.toLowerCase(), ` ${code}\n`]) {
        expect(parseInviteCode(text)).toEqual({ ok: true, value: { prefix, lobbyId } });
      }
    }),
  );
});

it('has the same body behind both prefixes', () => {
  fc.assert(
    fc.property(anyLobby, (lobbyId) => {
      expect(inviteCode('G', lobbyId).slice(1)).toBe(inviteCode('S', lobbyId).slice(1));
    }),
  );
});

it('never fails on any text, and reads nothing beyond 64 bits', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[GS][0-9A-Z]{1,16}$/)), (text) => {
      const parsed = parseInviteCode(text);
      if (parsed.ok) expect(parsed.value.lobbyId).toBeLessThanOrEqual(uint64Range.max);
      else expect(parsed.reason).not.toBe('');
    }),
  );
});

it.each([
  ['', 'does not begin with G or S'],
  ['X1', 'does not begin with G or S'],
  ['G', 'nothing after'],
  ['S!1', 'other than letters and digits'],
  [`G${'1'.repeat(14)}`, 'longer than 14'],
  ['GZZZZZZZZZZZZZ', 'no 64-bit lobby id'],
])('refuses %j: %s', (text, reason) => {
  expect(parseInviteCode(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
});
