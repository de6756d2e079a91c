import type { Log } from '@steward/service-kit/log/logger';
import type { rpcErrorCodes } from '@steward/shared/bridge/json-rpc';
import type { IncomingRequest, Params } from '@steward/shared/bridge/peer';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import type { z } from 'zod';

/** An error that is meant for the game, code and text. */
export class RpcFault extends Error {
  readonly code: keyof typeof rpcErrorCodes;

  constructor(code: keyof typeof rpcErrorCodes, message: string) {
    super(message);
    this.name = 'RpcFault';
    this.code = code;
  }
}

/** Reads what came with a method, or tells the game what is wrong with it. */
export function readParams<Schema extends z.ZodType>(schema: Schema, params: Params): z.infer<Schema> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new RpcFault('invalidParams', firstIssue(parsed.error));
  return parsed.data;
}

/** Rejecting with an `RpcFault` tells its code and text, anything else only that something went wrong. */
export async function answer(
  { method, params, reply, refuse }: IncomingRequest,
  find: (method: string, params: Params) => Promise<object>,
  log: Log,
): Promise<void> {
  try {
    reply(await find(method, params));
  } catch (error) {
    if (error instanceof RpcFault) {
      refuse(error.code, error.message);
      return;
    }
    log.error({ err: error, method }, 'a request from the game failed');
    refuse('internalError', `${method} failed; try again later`);
  }
}
