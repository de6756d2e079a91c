import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import type { ExistingServer } from '../existing-server.ts';
import type { Hosting } from '../hosting/hosting.ts';

type Orders = Readonly<Record<string, (...words: string[]) => unknown>>;

/** What a test may have happen on the farm of a double that is a process. */
export function ordersOf({ farm }: ExistingServer, hosting: () => Hosting | undefined): Orders {
  const named = (name = '') => {
    const character = farm.find({ name });
    if (character === undefined) throw new Error(`there is no ${name}`);
    return character;
  };
  return {
    join: (name = '') => {
      const character = farm.join();
      farm.customize(character, name);
      return String(character.id);
    },
    leave: (name) => {
      named(name).isOnline = false;
    },
    say: (name = '', ...words) => farm.say(name, words.join(' ')),
    chat: () => farm.inGameChat,
    ids: () => farm.characters.map(({ id }) => String(id)),
    /** What the platform's lobby shows of the farm changes, as when it is renamed. */
    tell: (key = '', value = '') => hosting()?.tell({ [key]: value }),
    freeze: () => farm.thread.freeze(),
    thaw: () => farm.thread.thaw(),
  };
}

/** Takes orders over a Unix socket, a line each, so that a test can play the people in a process of its own. */
export function takeOrders(path: string, orders: Orders): Server {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const lines = createInterface({ input: socket }).on('error', () => {});
    lines.on('line', async (line) => {
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
