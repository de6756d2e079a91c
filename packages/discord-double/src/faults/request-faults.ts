/** How an answer is lost: the connection is closed, or reset, or something on the way answers with a status of its own. */
export type Loss = 'closed' | 'reset' | 500 | 502 | 503 | 504;

/** What goes wrong with one request. */
export interface RequestFault {
  /** Waits so long before anything is done. */
  readonly delayMs?: number;
  /** Lost before anything was done. */
  readonly before?: Loss;
  /** Lost after all was done. */
  readonly after?: Loss;
  /** Refused as if too much had been asked, whatever was. */
  readonly rateLimited?: { readonly retryAfterMs: number; readonly scope: 'user' | 'global' | 'shared' };
}

interface Plan {
  readonly fault: RequestFault;
  /** `METHOD /path/:of/:route`, without the version. */
  readonly route: string;
  skip: number;
  times: number;
}

/** What will go wrong with which requests; the protocol knows of it at one place only. */
export class RequestFaults {
  readonly #plans = new Set<Plan>();
  readonly #routes: readonly string[];

  constructor(routes: readonly string[]) {
    this.#routes = routes;
  }

  /** Strikes the next requests of a route, after some that it spares; the function that is returned ends it. */
  add(
    route: string,
    fault: RequestFault,
    { times = 1, skip = 0 }: { readonly times?: number; readonly skip?: number } = {},
  ): () => void {
    if (!this.#routes.includes(route))
      throw new Error(`there is no ${route}; there are ${this.#routes.join(', ')}`);
    const plan = { route, fault, times, skip };
    this.#plans.add(plan);
    return () => {
      this.#plans.delete(plan);
    };
  }

  /** Asked once for each request. */
  decide(route: string): RequestFault {
    for (const plan of this.#plans) {
      if (plan.route !== route || plan.times === 0) continue;
      if (plan.skip > 0) {
        plan.skip -= 1;
        continue;
      }
      plan.times -= 1;
      return plan.fault;
    }
    return {};
  }
}
