import { platformAccountRange } from '@steward/shared/ids';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type Question, reasons, type SlotState, slotStateOf } from './matrix.ts';
import type { OwnerRecord } from './ownership-map.ts';
import { type Visitor, visitorOf } from './visitor.ts';

const account = platformAccountRange.min + 7n;
const relay = visitorOf(`SN_${account}_3`);
const network = visitorOf('GN_46265193014');
const address = visitorOf('L_7f21');
const unreadable = visitorOf('SN_1');

const visitors = { relay, network, address, unreadable };

const platformOwner: OwnerRecord = { owner: 'platform', id: account.toString(), origin: 'claim' };
const networkOwner: OwnerRecord = { owner: 'network', id: '46265193014', origin: 'operator' };

const show: Question = { asks: 'show' };
const join = (declaredStamp?: string): Question => ({ asks: 'join', declaredStamp });
const declaresIt = join('46265193014');

const slots = {
  'owned by the platform id': { kind: 'recorded', record: platformOwner },
  'owned by the network id': { kind: 'recorded', record: networkOwner },
  'owned by another platform id': {
    kind: 'recorded',
    record: { ...platformOwner, id: (account + 1n).toString() },
  },
  'owned by another network id': { kind: 'recorded', record: { ...networkOwner, id: '5' } },
  // The same digits in the other id space are somebody else.
  'owned by the account’s digits as a network id': {
    kind: 'recorded',
    record: { ...networkOwner, id: account.toString() },
  },
  released: { kind: 'recorded', record: { owner: 'released', origin: 'operator' } },
  'stamped with the network id': { kind: 'stamped', stamp: '46265193014' },
  'stamped with another id': { kind: 'stamped', stamp: '5' },
  'made by address': { kind: 'address-pool' },
  promised: { kind: 'promised' },
  fresh: { kind: 'fresh' },
  'in doubt, stamped with the network id': { kind: 'doubtful', stamp: '46265193014' },
  'in doubt, stamped with another id': { kind: 'doubtful', stamp: '5' },
  'in doubt, without a stamp': { kind: 'doubtful', stamp: undefined },
} satisfies Record<string, SlotState>;

type Cell = 'allow' | 'refuse' | 'game-decides';
type Row = readonly [
  slot: keyof typeof slots,
  relay: readonly [show: Cell, join: Cell, declaring: Cell],
  network: Cell,
  address: Cell,
];

const a = 'allow';
const r = 'refuse';
const g = 'game-decides';

/** Every cell. Over the relay the question counts, and with a stamp what the client declares; elsewhere neither does. */
const table: readonly Row[] = [
  ['owned by the platform id', [a, a, a], r, r],
  ['owned by the network id', [r, r, r], a, r],
  ['owned by another platform id', [r, r, r], r, r],
  ['owned by another network id', [r, r, r], r, r],
  ['owned by the account’s digits as a network id', [r, r, r], r, r],
  ['released', [a, a, a], a, a],
  ['stamped with the network id', [g, r, a], g, r],
  ['stamped with another id', [g, r, r], r, r],
  ['made by address', [r, r, r], r, a],
  ['promised', [r, r, r], r, a],
  ['fresh', [a, a, a], a, a],
  ['in doubt, stamped with the network id', [r, r, r], g, r],
  ['in doubt, stamped with another id', [r, r, r], r, r],
  ['in doubt, without a stamp', [r, r, r], r, r],
];

describe.each(table)('a slot that is %s', (name, overRelay, overNetwork, byAddress) => {
  const cell = (visitor: Visitor, question: Question) => decide(slots[name], visitor, question).decision;
  const everyQuestion = [show, join(), declaresIt];

  it('over the relay', () => {
    expect(everyQuestion.map((question) => cell(relay, question))).toEqual(overRelay);
  });

  it('over the network, whatever the client declares', () => {
    for (const question of everyQuestion) expect(cell(network, question)).toBe(overNetwork);
  });

  it('by address, whatever the client declares', () => {
    for (const question of everyQuestion) expect(cell(address, question)).toBe(byAddress);
  });

  it('with a connection id that cannot be read', () => {
    for (const question of everyQuestion) expect(cell(unreadable, question)).toBe('refuse');
  });
});

it('has every kind of slot in the table', () => {
  expect(table.map(([name]) => name).toSorted()).toEqual(Object.keys(slots).toSorted());
});

const someStamp = fc.option(fc.constantFrom('46265193014', '5', account.toString()), { nil: undefined });
const someSlot = fc.record({
  record: fc.option(fc.constantFrom<OwnerRecord>(platformOwner, networkOwner, { ...networkOwner, id: '5' }), {
    nil: undefined,
  }),
  isDoubtful: fc.boolean(),
  stamp: someStamp,
  isCustomized: fc.boolean(),
  isPromised: fc.boolean(),
});
const someVisitor = fc.constantFrom(...Object.values(visitors));

it('never gives an owned farmhand to another identity, and shows it to nobody else', () => {
  fc.assert(
    fc.property(someSlot, someVisitor, someStamp, (slot, visitor, declaredStamp) => {
      const { record } = slot;
      fc.pre(record !== undefined && record.owner !== 'released');
      const { identity } = visitor;
      const isTheirs =
        typeof identity === 'object' &&
        identity.space === record.owner &&
        identity.id.toString() === record.id;
      for (const question of [show, join(declaredStamp)])
        expect(decide(slotStateOf(slot), visitor, question).decision).toBe(isTheirs ? 'allow' : 'refuse');
    }),
  );
});

it('shows whatever it lets somebody have', () => {
  fc.assert(
    fc.property(someSlot, someVisitor, someStamp, (slot, visitor, declaredStamp) => {
      const state = slotStateOf(slot);
      fc.pre(decide(state, visitor, join(declaredStamp)).decision !== 'refuse');
      expect(decide(state, visitor, show).decision).not.toBe('refuse');
    }),
  );
});

it('does not listen to what a client declares, but for a stamp that came over the relay', () => {
  fc.assert(
    fc.property(someSlot, someVisitor, someStamp, someStamp, (slot, visitor, one, other) => {
      const state = slotStateOf(slot);
      fc.pre(state.kind !== 'stamped' || visitor !== relay);
      expect(decide(state, visitor, join(one))).toEqual(decide(state, visitor, join(other)));
    }),
  );
});

it('has a remedy for every refusal that an operator can fix', () => {
  const refusals = Object.entries(reasons).filter(([, row]) => 'remedy' in row);
  expect(refusals.map(([name]) => name).toSorted()).toEqual([
    'address-pool-only',
    'doubtful',
    'doubtful-by-address',
    'other-owner',
    'other-stamp',
    'stamp-without-identity',
  ]);
});
