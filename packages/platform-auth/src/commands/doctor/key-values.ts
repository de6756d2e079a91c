import { createRequire } from 'node:module';
import { z } from 'zod';

const require = createRequire(import.meta.url);

/** The lists have three. */
const mostLevels = 10;

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

/** Where each connection manager opens WebSockets; none where the text is not such a list. */
export function readConnectionManagers(text: string): readonly URL[] {
  const parsed = connectionManagers.safeParse(parse(text));
  if (!parsed.success) return [];
  return parsed.data.response.serverlist.flatMap(({ endpoint }) => urls(`https://${endpoint}/cmsocket/`));
}

/** Where each content server is reached. */
export function readContentServers(text: string): readonly URL[] {
  const parsed = contentServers.safeParse(parse(text));
  if (!parsed.success) return [];
  return parsed.data.response.servers.flatMap(({ host, https_support }) =>
    // As the download does: without TLS where it may.
    urls(`${https_support === 'mandatory' ? 'https' : 'http'}://${host}/`),
  );
}

function urls(text: string): URL[] {
  return URL.canParse(text) ? [new URL(text)] : [];
}

/** With the platform libraries' own reader of this format, whose time grows with the square of the depth. */
function parse(text: string): unknown {
  if (levelsOf(text) > mostLevels) return undefined;
  const reader: { parse(text: string): unknown } = createRequire(require.resolve('steam-user'))('kvparser');
  try {
    return reader.parse(text);
  } catch {
    return undefined;
  }
}

/** A brace within a text counts as well: hosts and addresses have none. */
function levelsOf(text: string): number {
  let level = 0;
  let most = 0;
  for (const [brace] of text.matchAll(/[{}]/g)) {
    level += brace === '{' ? 1 : -1;
    most = Math.max(most, level);
  }
  return most;
}
