import { describe, expect, it } from 'vitest';
import { roomRow, whatBreaksFirst } from './room-row.ts';

const measured = { timed: '', steps: [], breaks: '' };
const requests = roomRow({ ...measured, doubled: 'requests', madeFor: 7_000, held: 4_096, broke: 8_192 });
const schedules = roomRow({ ...measured, doubled: 'schedules', madeFor: 50, held: 128, broke: 256 });
const sockets = roomRow({ ...measured, doubled: 'sockets', madeFor: 5_000, held: 16_000 });

describe('what breaks first', () => {
  it('says of each how far it could grow beside what Steward is made for', () => {
    expect([requests, sockets]).toEqual([
      '| requests | 7,000 | 4,096 | 8,192 | 1.17 |',
      '| sockets | 5,000 | 16,000 |  | more than 3.20 |',
    ]);
  });

  it('is what has the least room of all that broke, whatever came first in the run', () => {
    const text = whatBreaksFirst([sockets, schedules, requests]);
    expect(text).toMatch(/^\*\*First breaks: requests\*\*, with 8,192, 1.17 times /);
    const at = [requests, schedules, sockets].map((row) => text.indexOf(row));
    expect(at).toEqual(at.toSorted((one, other) => one - other));
    expect(at).not.toContain(-1);
  });

  it('is nothing where nothing broke, and is not said where nothing was doubled yet', () => {
    expect(whatBreaksFirst([sockets])).toMatch(/^\*\*Nothing broke\.\*\*\n/);
    expect(whatBreaksFirst([])).toBe('');
  });
});
