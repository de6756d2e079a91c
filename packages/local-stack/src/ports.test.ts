import { freePort } from '@steward/testing/free-port';
import { expect, it } from 'vitest';
import { choosePorts } from './ports.ts';

it('gives nobody a port that another is given, set or not', async () => {
  const port = await freePort();
  const wishes = {
    first: { variable: 'FIRST', preferred: port },
    second: { variable: 'SECOND', preferred: port },
    third: { variable: 'THIRD', preferred: port },
  };
  const { first, second, third } = await choosePorts(wishes, { SECOND: String(port) });
  expect(second).toBe(port);
  expect(new Set([first, second, third]).size).toBe(3);
  expect(first).toBeGreaterThan(port);
});
