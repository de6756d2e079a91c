import type { z } from 'zod';
import { accepted, type Parsed, refused } from '../parsed.ts';
import {
  type RpcFailure,
  type RpcNotification,
  type RpcRequest,
  type RpcResult,
  rpcFailure,
  rpcNotification,
  rpcRequest,
  rpcResult,
} from './json-rpc.ts';

export type RpcMessage =
  | { readonly kind: 'request'; readonly message: RpcRequest }
  | { readonly kind: 'notification'; readonly message: RpcNotification }
  | { readonly kind: 'result'; readonly message: RpcResult }
  | { readonly kind: 'failure'; readonly message: RpcFailure };

/** Reads one line's document. The reason of a refusal is fit to be sent back. */
export function parseRpcMessage(line: string): Parsed<RpcMessage> {
  let document: unknown;
  try {
    document = JSON.parse(line);
  } catch {
    return refused('is not a JSON document');
  }
  if (Array.isArray(document)) return refused('is a batch; send one document per line');
  if (typeof document !== 'object' || document === null) return refused('is not a JSON object');
  if ('method' in document)
    return 'id' in document ? read('request', document) : read('notification', document);
  if ('error' in document) return read('failure', document);
  return read('result', document);
}

const schemas = {
  request: rpcRequest,
  notification: rpcNotification,
  result: rpcResult,
  failure: rpcFailure,
} as const;

function read(kind: RpcMessage['kind'], document: object): Parsed<RpcMessage> {
  const parsed = schemas[kind].safeParse(document);
  if (!parsed.success) return refused(`is not a valid ${kind}: ${firstIssue(parsed.error)}`);
  return accepted({ kind, message: parsed.data } as RpcMessage);
}

/** The first thing that is wrong, with the path to it: one line for a log or an error. */
export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'unknown';
  const path = issue.path.join('.');
  const words = issue.code === 'invalid_type' ? `must be there, of type ${issue.expected}` : issue.message;
  return path === '' ? words : `${path}: ${words}`;
}
