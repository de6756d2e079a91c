import { type Expected, json, reached, readAnswer } from './answer.ts';
import type { FarmOperations } from './generated/api.ts';
import { operations } from './generated/operations.ts';
import type { StewardOptions, WriteOptions } from './options.ts';
import { idempotencyKeyOf, pathAndQuery, targetOf } from './request.ts';
import { tried, type World } from './tries.ts';

const usual = { timeoutMs: 30_000, retries: 4 } as const;

/** Where the server may take longer than that: for a save, and for the backup before a deletion. */
const longerMs: Readonly<Record<string, number>> = {
  saveGame: 90_000,
  deleteFarmhand: 300_000,
} satisfies Partial<Record<keyof FarmOperations, number>>;

interface Operation extends Expected {
  readonly method: string;
  readonly path: string;
  readonly longerMs: number | undefined;
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Every operation, each of which makes a request.
 *
 * @internal
 */
export function callsOf(options: StewardOptions, world: World): FarmOperations {
  const { base, headers } = targetOf(options);
  const { retries = usual.retries } = options;
  const usualMs = timeoutOf(options.timeoutMs, usual.timeoutMs);
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new TypeError('steward: retries must be 0 or a whole number above');
  // Taken out, for a browser's own must not be called as a member of something else.
  const { fetch } = world;

  const call = async (
    operation: Operation,
    parameters: Parameters = {},
    { signal, idempotencyKey, timeoutMs }: WriteOptions = {},
  ): Promise<unknown> => {
    const { method, path } = operation;
    const isRead = method === 'GET';
    // What only asks what would happen changes nothing, whatever becomes of it.
    const isWrite = !isRead && String(parameters['dryRun']) !== 'true';
    const url = `${base}${pathAndQuery(path, parameters)}`;
    const more = isRead ? {} : { 'idempotency-key': idempotencyKeyOf(idempotencyKey) };
    const once = async (until: AbortSignal): Promise<unknown> => {
      const init = { method, headers: { ...headers, ...more }, redirect: 'manual', signal: until } as const;
      const response = await reached(() => fetch(url, init), base);
      return await readAnswer(response, operation);
    };
    // Whoever says how long each call may take means these, too.
    const ownMs = isWrite && options.timeoutMs === undefined ? operation.longerMs : undefined;
    const inAllMs = timeoutOf(timeoutMs, ownMs ?? usualMs);
    return await tried(once, { isWrite, retries, timeoutMs: inAllMs, signal }, world);
  };

  const each = Object.entries(operations).map(([id, row]) => {
    const operation = operationOf(id, row);
    return [id, (parameters?: Parameters, more?: WriteOptions) => call(operation, parameters, more)];
  });
  return Object.fromEntries(each) as FarmOperations;
}

/** Reads a row of the table: method, path, and where it answers something else than JSON with a 2xx a media type, or a status. */
function operationOf(id: string, row: string): Operation {
  const [method = '', path = '', also] = row.split(' ');
  const type = also?.includes('/') ? also : json;
  return { method, path, type, alsoStatus: Number(also), longerMs: longerMs[id] };
}

function timeoutOf(given: number | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (typeof given === 'number' && given > 0) return given;
  throw new TypeError('steward: timeoutMs must be a number above 0');
}
