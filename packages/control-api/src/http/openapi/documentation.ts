import type { DescribedServer } from './described-server.ts';

/** What describes the API, loaded and made when it is first asked for. */
export type Documentation = () => Promise<DescribedServer>;

export function documentationOf(version: string): Documentation {
  let described: Promise<DescribedServer> | undefined;
  return () => {
    described ??= describe(version);
    return described;
  };
}

async function describe(version: string): Promise<DescribedServer> {
  const { describedServer } = await import('./described-server.ts');
  return describedServer(version);
}
