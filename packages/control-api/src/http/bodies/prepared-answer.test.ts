import { expect, it } from 'vitest';
import { PreparedAnswer } from './prepared-answer.ts';

it.each(['Meadow', 'Café', 'the invite code’s way — “S”', '牧場 🌾'])(
  'sends %s byte for byte',
  (farmName) => {
    const { byteText, length } = PreparedAnswer.of({ farmName });
    const bytes = Buffer.from(byteText, 'latin1');
    expect(JSON.parse(bytes.toString())).toEqual({ farmName });
    expect(length).toBe(String(bytes.length));
  },
);
