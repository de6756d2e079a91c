import type { Account } from '../accounts/accounts.ts';
import { eresult } from '../wire/numbers.ts';
import type { MessageType } from '../wire/protobufs.ts';

/** Who calls a service method, and how sure the platform is of it. */
export interface Caller {
  /** A session that is logged on at the connection manager, or a web request with an access token. */
  readonly account?: Account;
}

/** What a method answers: a body, or the EResult that says why not. */
export type ServiceAnswer<Response> = { readonly body: Response } | { readonly eresult: number };

/** One method of the platform's unified services, such as `Authentication.PollAuthSessionStatus`. */
export interface ServiceMethod {
  readonly name: string;
  call(request: Buffer, caller: Caller): { readonly eresult: number; readonly body: Buffer };
}

export function serviceMethod<Request extends object, Response extends object>(
  name: string,
  requestType: MessageType<Request>,
  responseType: MessageType<Response>,
  answer: (request: Partial<Request>, caller: Caller) => ServiceAnswer<Response>,
): ServiceMethod {
  return {
    name,
    call(request, caller) {
      const answered = answer(requestType.decode(request), caller);
      if ('eresult' in answered) return { eresult: answered.eresult, body: Buffer.alloc(0) };
      return { eresult: eresult.ok, body: responseType.encode(answered.body) };
    },
  };
}

/** All methods by name; those that nobody has built answer Fail, as the real platform does for unknown ones. */
export class ServiceDirectory {
  readonly #methods: ReadonlyMap<string, ServiceMethod>;

  constructor(methods: readonly ServiceMethod[]) {
    this.#methods = new Map(methods.map((method) => [method.name, method]));
  }

  call(name: string, request: Buffer, caller: Caller): { readonly eresult: number; readonly body: Buffer } {
    const method = this.#methods.get(name);
    return method?.call(request, caller) ?? { eresult: eresult.fail, body: Buffer.alloc(0) };
  }
}
