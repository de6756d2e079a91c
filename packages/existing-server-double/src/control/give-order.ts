import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Gives one order to a double that is a process, and returns what came of it. */
export async function giveOrder(path: string, line: string): Promise<unknown> {
  const socket = connect(path);
  socket.write(`${line}\n`);
  const [text] = await once(createInterface({ input: socket }), 'line');
  socket.destroy();
  const { done, error } = JSON.parse(text) as { done?: unknown; error?: string };
  if (error !== undefined) throw new Error(error);
  return done;
}
