import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { OperatorError, UsageError } from '@steward/service-kit/process/errors';
import { z } from 'zod';

/** How many bytes a Unix socket's address can hold on every system. */
export const longestPath = 103;

const fromSources = import.meta.url.endsWith('.ts');

/** What is typed before an order: the demo's image has neither npm nor the scripts of a checkout. */
export const howToOrder = fromSources ? 'npm run farm --' : 'node dist/farm.js';

/** What is typed, as it reaches the farm: one line of JSON. */
export const orderMessage = z.object({ order: z.string(), words: z.array(z.string()) });

/** What the farm says to it, a line each; the last one has an `end`. What `failed` has printed why. */
const replyMessage = z.union([
  z.object({ line: z.string() }),
  z.object({ end: z.enum(['done', 'failed']) }),
  z.object({ end: z.enum(['refused', 'misunderstood']), reason: z.string() }),
]);

export type ReplyMessage = z.infer<typeof replyMessage>;

/** `cut off`: the farm went away first, as it does when it closes while somebody follows it. */
export type OrderEnd = 'done' | 'failed' | 'cut off';

/** Gives an order to the farm at `path`, and passes on every line that it prints; ends when the order does. */
export async function giveOrder(
  path: string,
  order: string,
  words: readonly string[],
  print: (line: string) => void,
): Promise<OrderEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<OrderEnd>();
  let end: OrderEnd = 'cut off';
  const socket = connect(path);
  const remedy = fromSources ? '; npm start opens one' : '';
  const failed = () => reject(new OperatorError(`no farm listens at ${path}${remedy}`));
  socket.once('error', failed);
  socket.once('close', () => resolve(end));
  socket.write(`${JSON.stringify({ order, words })}\n`);
  const lines = createInterface({ input: socket }).once('error', failed);
  lines.on('line', (line) => {
    const reply = replyMessage.parse(JSON.parse(line));
    if ('line' in reply) print(reply.line);
    else if (reply.end === 'refused') reject(new OperatorError(reply.reason));
    else if (reply.end === 'misunderstood') reject(new UsageError(reply.reason));
    else end = reply.end;
  });
  return promise.finally(() => socket.destroy());
}
