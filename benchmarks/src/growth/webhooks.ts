import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationWriter } from '@steward/control-api/store/tables/operations';
import { webhookWriter } from '@steward/control-api/store/tables/webhooks';
import { made } from '@steward/control-api/webhooks/webhook-changes';
import { webhookLimits } from '@steward/shared/api/webhook-parameters';
import { quantile } from '@steward/testing/quantile';
import { shipped } from '@steward/tools/bundle/bundle';
import { chatEvent } from '../chat/chat-text.ts';
import type { Growth } from '../page/growth-row.ts';
import { fillDatabase } from '../store/fill-database.ts';
import { withHistory } from '../store/history.ts';
import { mostConnections } from './connections.ts';
import { doubled } from './doubling.ts';
import { withService } from './grown-service.ts';

const from = 16;
const messages = 6;

/** Webhooks that are all told what a player says, by a receiver that takes it at once. More than may be made lie in the database. */
export async function webhooks(): Promise<Growth> {
  using api = await shipped('control-api');
  await using receiver = await Receiver.listening();
  const grown = await doubled({
    from,
    most: mostConnections(),
    step: (number) =>
      withService(
        async ({ server, game }) => {
          const say = async () => {
            const told = receiver.told(number);
            const at = performance.now();
            game.happens({ kind: 'chat', ...chatEvent.data });
            return (await game.orLost(told)).map((arrived) => arrived - at);
          };
          // What they are told of the time before they were made is behind them then.
          await say();
          const before = server.cpuMs();
          const delays: number[] = [];
          for (let message = 0; message < messages; message += 1) delays.push(...(await say()));
          const eachUs = ((server.cpuMs() - before) * 1_000) / (messages * number);
          const [medianMs, p99Ms] = [quantile(delays, 0.5), quantile(delays, 0.99)];
          return { number, medianMs, p99Ms, eachUs, memoryMb: server.rssMb() };
        },
        {
          program: api.main,
          environment: { WEBHOOK_ALLOW: '127.0.0.1' },
          prepare: (directory) => fill(directory, number, receiver.origin),
        },
      ),
  });
  return {
    doubled: 'webhooks',
    timed: "a player's line to every webhook, each over a connection of its own",
    ...grown,
    madeFor: webhookLimits.webhooks,
    breaks: `${grown.end}. One beyond ${webhookLimits.webhooks} is not made (\`too-many-webhooks\`).`,
  };
}

async function fill(directory: string, number: number, origin: string): Promise<void> {
  const epoch = await withHistory(directory, async (history) => history.epoch);
  const now = Date.now();
  fillDatabase(directory, (database) => {
    const writer = webhookWriter(database, operationWriter(database));
    for (let index = 0; index < number; index += 1) {
      const asked = { name: `hook ${index}`, url: `${origin}/${index}`, topics: ['chat'] } as const;
      writer.put(made([], asked, { epoch, number: 0 }, now));
    }
  });
}

/** Takes every message at once, and knows when the line came to each. */
class Receiver implements AsyncDisposable {
  readonly origin: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #arrived = new Map<string, number>();
  #wanted = { number: Number.POSITIVE_INFINITY, all: (_times: readonly number[]) => {} };

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async (request, response) => {
      const at = performance.now();
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      response.writeHead(204).end();
      if (body.includes(chatEvent.type)) this.#arrive(request.url ?? '', at);
    });
  }

  static async listening(): Promise<Receiver> {
    const backlog = 65_535;
    const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog });
    await once(server, 'listening');
    return new Receiver(server);
  }

  /** When the next line has come to so many webhooks: when it came to each. */
  told(number: number): Promise<readonly number[]> {
    this.#arrived.clear();
    return new Promise((all) => {
      this.#wanted = { number, all };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #arrive(hook: string, at: number): void {
    // Sent again it is the same.
    if (!this.#arrived.has(hook)) this.#arrived.set(hook, at);
    if (this.#arrived.size === this.#wanted.number) this.#wanted.all([...this.#arrived.values()]);
  }
}
