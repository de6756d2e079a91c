import { rpcErrorCodes } from '@steward/shared/bridge/json-rpc';

/** How a request ended: with a result, with the other side's error, or with the connection. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'closed'; readonly why: string };

/** An error that is meant for the other side, code and text. */
export class RpcFault extends Error {
  readonly code: number;

  constructor(code: keyof typeof rpcErrorCodes, message: string) {
    super(message);
    this.name = 'RpcFault';
    this.code = rpcErrorCodes[code];
  }
}
