import { expect, vi } from 'vitest';
import type { openApi } from '../../api/stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

export type Line = Readonly<Record<string, unknown>>;

/** The lines of the audit that the query names, in its order. */
export async function linesOf(api: Pick<Api, 'ask'>, query = ''): Promise<readonly Line[]> {
  const { exact, statusCode } = await api.ask('GET', `/audit?${query}`);
  expect(statusCode).toBe(200);
  return exact['lines'] as readonly Line[];
}

/** Those that are waited for by nobody come some milliseconds later. */
export async function eventually(api: Pick<Api, 'ask'>, query: string, lines: readonly object[]) {
  await vi.waitFor(
    async () => expect(await linesOf(api, query)).toEqual(lines.map((line) => expect.objectContaining(line))),
    { interval: 5, timeout: 10_000 },
  );
}
