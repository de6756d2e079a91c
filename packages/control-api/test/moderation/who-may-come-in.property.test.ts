import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GivenRow } from '../../src/moderation/lists.ts';
import { givenRow, idOf, withId } from '../../src/moderation/lists.ts';
import { Verdict } from '../../src/moderation/verdict.ts';

const players = ['1', '2', '3'];
const identities = ['5', '46265193014', '76561198000000001'];
const connections = ['GN_5', 'GN_46265193014', 'SN_76561198000000001_1', 'L_7f21', 'L_', 'GN_x', 'nowhere'];
const addresses = [undefined, '198.51.100.7', '::ffff:198.51.100.9', '203.0.113.1', '2001:db8::7', 'garbage'];
const networks = {
  '198.51.100.7': ['198.51.100.7'],
  '198.51.100.0/24': ['198.51.100.7', '::ffff:198.51.100.9'],
  '192.0.0.0/3': ['198.51.100.7', '::ffff:198.51.100.9', '203.0.113.1'],
  '2001:db8::/32': ['2001:db8::7'],
  '2001:db8::7': ['2001:db8::7'],
} as const;
const noon = Date.UTC(2026, 10, 21, 12);

const until = fc.option(
  fc.integer({ min: -3, max: 3 }).map((hours) => new Date(noon + hours * 3_600_000).toISOString()),
  { nil: undefined },
);
const someIdentities = fc.option(fc.subarray(identities), { nil: undefined });
const row: fc.Arbitrary<GivenRow> = fc
  .oneof(
    fc.record({ playerId: fc.constantFrom(...players), identities: someIdentities, until }),
    fc.record({ identity: fc.constantFrom(...identities), until }),
    fc.record({ address: fc.constantFrom(...Object.keys(networks)), until }),
  )
  .map((given) => givenRow.parse(JSON.parse(JSON.stringify(given))));
const rows = fc.array(row, { maxLength: 4 });

const world = fc.record({
  bans: rows,
  allowlist: rows,
  owners: fc.dictionary(fc.constantFrom(...players), fc.constantFrom(...identities)),
  connectionId: fc.constantFrom(...connections),
  address: fc.constantFrom(...addresses),
  farmhandId: fc.option(fc.constantFrom(...players, '9'), { nil: undefined }),
  isCustomized: fc.boolean(),
  now: fc.integer({ min: -2, max: 2 }).map((hours) => noon + hours * 3_600_000),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** The rule again, row by row and without any index. */
function mayComeIn(given: World): boolean {
  const { bans, allowlist, owners, connectionId, address, farmhandId, isCustomized, now } = given;
  const [, identity] = /^(?:GN|SN)_([0-9]+)/.exec(connectionId) ?? [];
  const isByAddress = connectionId.startsWith('L_');
  const holds = (one: GivenRow) => one.until === undefined || Date.parse(one.until) > now;
  const isOfVisitor = (one: GivenRow, followsOwners = false) => {
    if (one.address !== undefined)
      return (networks[one.address as keyof typeof networks] as readonly unknown[]).includes(address);
    if (identity === undefined) return false;
    if (one.identity !== undefined) return one.identity === identity;
    const isOwner = owners[one.playerId ?? ''] === identity;
    if (one.identities === undefined) return isOwner;
    return one.identities.includes(identity) || (followsOwners && isOwner);
  };
  const isOfFarmhand = (one: GivenRow) => farmhandId !== undefined && one.playerId === farmhandId;
  const owns = identity !== undefined && owners[farmhandId ?? ''] === identity;
  const ban = bans.filter(holds);
  if (ban.some((one) => isOfVisitor(one) || (isCustomized && isOfFarmhand(one) && !owns))) return false;
  const isUnreadable = identity === undefined && !isByAddress;
  if (isUnreadable && ban.some((one) => one.address === undefined)) return false;
  if (allowlist.length === 0) return true;
  const allowed = allowlist.filter(holds);
  if (allowed.some((one) => isOfVisitor(one, true))) return true;
  if (!isByAddress) return false;
  // A player who is known by an identity comes with that.
  return allowed.some((one) => {
    const isKnown =
      one.identities === undefined ? owners[one.playerId ?? ''] !== undefined : one.identities.length > 0;
    return !isKnown && (farmhandId === undefined ? one.playerId !== undefined : isOfFarmhand(one));
  });
}

it('decides as the rule is written, whatever is banned, allowed, owned and over', () => {
  let refused = 0;
  const tries = count({ small: 1_500, long: 200_000 });
  fc.assert(
    fc.property(world, (given) => {
      const named = (all: readonly GivenRow[]) => all.map((one, at) => withId(one, idOf({ one, at })));
      const verdict = new Verdict({ bans: named(given.bans), allowlist: named(given.allowlist) });
      const { connectionId, address, farmhandId, isCustomized, owners, now } = given;
      const slot = farmhandId === undefined ? undefined : { id: farmhandId, isCustomized };
      const against = verdict.on({ connectionId, address }, (id) => owners[id], now)(slot);
      expect(against === undefined).toBe(mayComeIn(given));
      if (against === undefined) return;
      refused += 1;
      expect(against.message.length).toBeLessThanOrEqual(200);
      // Others read these, too.
      for (const secret of [...identities, '198.51.100', '2001:db8'])
        expect(`${against.reason} ${against.remedy}`).not.toContain(secret.length > 1 ? secret : 'id 5');
    }),
    { numRuns: tries },
  );
  expect(refused).toBeGreaterThan(tries / 10);
});
