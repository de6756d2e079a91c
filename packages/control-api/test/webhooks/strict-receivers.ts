import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** What a receiver got: the path that it was asked at, and the document. */
export interface Got {
  readonly path: string;
  readonly text: string;
}

export interface StrictReceiver extends AsyncDisposable {
  readonly origin: string;
  readonly got: Got[];
}

const discordEmbed = z.strictObject({
  title: z.string().trim().min(1).max(256),
  description: z.string().trim().min(1).max(4_096).optional(),
  color: z.int().min(0).max(0xffffff),
  timestamp: z.iso.datetime(),
  fields: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(256),
        value: z.string().trim().min(1).max(1_024),
        inline: z.boolean(),
      }),
    )
    .max(25),
});

const discordBody = z
  .strictObject({
    username: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .regex(/^(?!.*(discord|clyde|```|@|#|:|everyone|here)).*$/i),
    embeds: z.array(discordEmbed).min(1).max(10),
    // What is left out would be parsed.
    allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
  })
  .refine(({ embeds }) => allText(embeds).length <= 6_000, 'is longer than an embed may be');

const slackText = z
  .string()
  .min(1)
  .max(3_000)
  .regex(/^([^&<>]|&amp;|&lt;|&gt;)*$/, 'is not escaped');

const slackBody = z.strictObject({
  attachments: z
    .array(
      z.strictObject({
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        fallback: slackText,
        blocks: z
          .array(
            z.strictObject({
              type: z.literal('section'),
              text: z.strictObject({
                type: z.literal('plain_text'),
                text: slackText,
                emoji: z.literal(false),
              }),
            }),
          )
          .min(1)
          .max(50),
      }),
    )
    .min(1)
    .max(100),
});

const ntfyBody = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().min(1).optional(),
  message: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 4_096, 'would become a file'),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string().regex(/^[a-z]+$/)).optional(),
});

/** Each takes what the real one takes, as its documentation has it, and nothing else: what is not known is refused, too. */
const receivers = {
  discord: { path: /^\/api\/webhooks\/[0-9]+\/[\w-]+$/, body: discordBody, bytes: 8_000_000, ok: [204, ''] },
  slack: { path: /^\/services(\/\w+){3}$/, body: slackBody, bytes: 1_000_000, ok: [200, 'ok'] },
  ntfy: { path: /^\/$/, body: ntfyBody, bytes: 4_096, ok: [200, '{"id":"x"}'] },
} as const;

export async function strictReceiver(kind: keyof typeof receivers): Promise<StrictReceiver> {
  const { path: expected, body, bytes, ok } = receivers[kind];
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const { method, url: path = '', headers } = request;
    got.push({ path, text });
    const wrong =
      method !== 'POST' || !expected.test(path)
        ? 'there is nothing here'
        : headers['content-type'] !== 'application/json'
          ? 'is no JSON'
          : Buffer.byteLength(text) > bytes
            ? 'is too long'
            : body.safeParse(JSON.parse(text)).error?.message;
    if (wrong === undefined) response.writeHead(ok[0]).end(ok[1]);
    else response.writeHead(400).end(wrong);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Every text of a document, one a line; the names of its members are not among them. */
export function allText(document: unknown): string {
  if (typeof document === 'string') return `${document}\n`;
  return typeof document === 'object' && document !== null
    ? Object.values(document).map(allText).join('')
    : '';
}
