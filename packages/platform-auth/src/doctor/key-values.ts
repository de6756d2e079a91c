import { createRequire } from 'node:module';
import { z } from 'zod';

const require = createRequire(import.meta.url);

/** The platform's lists are objects whose keys count from 0. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.record(z.string(), item).transform((entries): z.infer<Item>[] => Object.values(entries));

const connectionManagers = z.object({
  response: z.object({ serverlist: listOf(z.object({ endpoint: z.string() })) }),
});

const contentServers = z.object({
  response: z.object({
    servers: listOf(z.object({ host: z.string(), https_support: z.string().optional() })),
  }),
});

/** Addresses of connection managers, with their ports; none where the text is not such a list. */
export function readConnectionManagers(text: string): readonly string[] {
  const parsed = connectionManagers.safeParse(parse(text));
  return parsed.success ? parsed.data.response.serverlist.map(({ endpoint }) => endpoint) : [];
}

/** Where each content server is reached. */
export function readContentServers(text: string): readonly URL[] {
  const parsed = contentServers.safeParse(parse(text));
  if (!parsed.success) return [];
  return parsed.data.response.servers.flatMap(({ host, https_support }) => {
    const url = `${https_support === undefined || https_support === 'none' ? 'http' : 'https'}://${host}/`;
    return URL.canParse(url) ? [new URL(url)] : [];
  });
}

/** With the platform libraries' own reader of this format. */
function parse(text: string): unknown {
  const reader: { parse(text: string): unknown } = createRequire(require.resolve('steam-user'))('kvparser');
  try {
    return reader.parse(text);
  } catch {
    return undefined;
  }
}
