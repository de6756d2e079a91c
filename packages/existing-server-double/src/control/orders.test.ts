import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { giveOrder } from './give-order.ts';
import { takeOrders } from './orders.ts';

it('goes on taking orders after somebody who did not wait for an answer', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'orders.sock');
  const server = takeOrders(path, { greet: (name = '') => `hello ${name}` });
  await once(server, 'listening');
  // What has come and was never read resets the connection at its end.
  const impatient = connect(path).pause();
  await once(impatient, 'connect');
  impatient.write('greet Ann\n');
  expect(await giveOrder(path, 'greet Bob')).toBe('hello Bob');
  impatient.destroy();
  expect(await giveOrder(path, 'greet Cleo')).toBe('hello Cleo');
  server.close();
  await once(server, 'close');
});
