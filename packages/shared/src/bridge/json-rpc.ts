import { z } from 'zod';

/** Request ids are decimal strings, whoever asks; each side counts its own. */
export const requestId = z.string().regex(/^[0-9]{1,20}$/, 'is not a decimal string');

const version = z.literal('2.0');
const params = z.record(z.string(), z.unknown()).optional();

export const rpcRequest = z.object({
  jsonrpc: version,
  id: requestId,
  method: z.string().min(1).max(64),
  params,
});

export const rpcNotification = z.object({
  jsonrpc: version,
  id: z.undefined().optional(),
  method: z.string().min(1).max(64),
  params,
});

const rpcError = z.object({
  code: z.int(),
  message: z.string().meta({ description: 'What is wrong and what to do, as text' }),
});

export const rpcResult = z.object({ jsonrpc: version, id: requestId, result: z.unknown() });

/** `id` is null when the line that is complained about had none that could be read. */
export const rpcFailure = z.object({ jsonrpc: version, id: requestId.nullable(), error: rpcError });

export type RpcRequest = z.infer<typeof rpcRequest>;
export type RpcNotification = z.infer<typeof rpcNotification>;
export type RpcResult = z.infer<typeof rpcResult>;
export type RpcFailure = z.infer<typeof rpcFailure>;
export type RpcError = z.infer<typeof rpcError>;

/** The codes of JSON-RPC itself, then this protocol's. */
export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  protocolMismatch: -32001,
  wrongSecret: -32002,
  anotherGame: -32003,
  helloFirst: -32004,
  tooManyRequests: -32005,
  noTicket: -32006,
} as const;
