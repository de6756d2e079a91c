import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';

export type Orders = Readonly<Record<string, (...words: string[]) => unknown>>;

/** Takes orders over a Unix socket, a line each, so that a test can play the people in a process of its own. */
export function takeOrders(path: string, orders: Orders): Server {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', async (line) => {
      const [name = '', ...words] = line.split(' ');
      const answer = await carryOut(orders, name, words);
      socket.write(`${JSON.stringify(answer)}\n`);
    });
  });
  // One that was killed leaves its socket's file behind.
  rmSync(path, { force: true });
  return server.listen(path);
}

async function carryOut(orders: Orders, name: string, words: string[]): Promise<object> {
  try {
    const order = Object.hasOwn(orders, name) ? orders[name] : undefined;
    if (order === undefined) return { error: `there is no order ${name}` };
    return { done: (await order(...words)) ?? null };
  } catch (error) {
    return { error: String(error) };
  }
}
