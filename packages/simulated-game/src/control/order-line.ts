import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { OperatorError } from '@steward/service-kit/process/operator-error';
import { replyMessage } from './messages.ts';

/** Gives an order to the farm at `path`, and passes on every line that it prints; ends when the order does. */
export async function giveOrder(
  path: string,
  order: string,
  words: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(path);
  const failed = () => reject(new OperatorError(`no farm listens at ${path}; npm start opens one`));
  socket.once('error', failed);
  socket.once('close', () => resolve());
  socket.write(`${JSON.stringify({ order, words })}\n`);
  const lines = createInterface({ input: socket }).once('error', failed);
  lines.on('line', (line) => {
    const reply = replyMessage.parse(JSON.parse(line));
    if ('line' in reply) print(reply.line);
    else if (reply.end === 'refused') reject(new OperatorError(reply.reason ?? 'refused'));
  });
  await promise.finally(() => socket.destroy());
}
