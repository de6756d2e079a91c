import { StewardError } from './error.ts';
import type { Caller, FarmOperations } from './generated/api.ts';
import type { CallOptions } from './options.ts';

/**
 * Who the server says one is. Many a server answers whatever it is asked with some JSON: where another answers, this says so.
 *
 * @internal
 */
export async function callerOf(
  farm: Pick<FarmOperations, 'getCaller'>,
  options?: CallOptions,
): Promise<Caller> {
  const caller = await farm.getCaller({}, options);
  if (Array.isArray((caller as Partial<Caller> | null)?.scopes)) return caller;
  throw new StewardError('not-steward', 'Another server answers there, with its own JSON');
}
