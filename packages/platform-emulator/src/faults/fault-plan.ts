import { setTimeout as wait } from 'node:timers/promises';
import { matches, type RequestFacts, type RequestMatcher } from '../record/request-record.ts';

/** What a faulty answer does to its bytes. All keep HTTP well-formed: the damage is in the content. */
type Damage =
  /** Other bytes of the same length, as from a cache that serves the wrong file. */
  | 'wrong-bytes'
  /** The first half only, with an honest Content-Length. */
  | 'truncated'
  /** One bit in the middle is flipped. */
  | 'corrupt';

/** What goes wrong with one request. Several members may be set: a slow answer can also be cut. */
export interface Fault {
  /** Waits this long before the first byte of an answer. */
  readonly latencyMs?: number;
  /** Waits for this instead. */
  readonly until?: Promise<unknown>;
  readonly bytesPerSecond?: number;
  /** The connection is reset after this many bytes of the body; 0 resets before any answer. */
  readonly resetAtByte?: number;
  /** Half-open: after this many bytes of the body nothing more comes, and the connection stays. 0 never answers. */
  readonly stallAtByte?: number;
  /** An HTTP status instead of the answer. */
  readonly status?: number;
  /** With a status: its header Retry-After, in seconds or as a date. */
  readonly retryAfter?: string;
  /** An EResult instead of the answer, for CM messages and service methods. */
  readonly eresult?: number;
  readonly damage?: Damage;
}

/** Statuses that the real platform's edges are known to answer; a plan may use others too. */
export const edgeStatuses = [401, 403, 404, 429, 500, 503] as const;

/** What comes before the first byte of an answer, where something does. */
export function lateness({ latencyMs, until }: Fault): Promise<unknown> | undefined {
  return until ?? (latencyMs === undefined ? undefined : wait(latencyMs, undefined, { ref: false }));
}

export function damaged(body: Buffer, damage: Damage | undefined): Buffer {
  if (damage === undefined || body.length === 0) return body;
  if (damage === 'truncated') return body.subarray(0, body.length >> 1);
  if (damage === 'wrong-bytes')
    return Buffer.from(body.map((byte, index) => byte ^ ((index * 31 + 7) & 0xff)));
  const copy = Buffer.from(body);
  const middle = copy.length >> 1;
  copy.writeUInt8(copy.readUInt8(middle) ^ 0x10, middle);
  return copy;
}

interface FaultRule {
  readonly when: RequestMatcher;
  /** Which of the matching requests, counted from 1 since the rule was added; absent means all of them. */
  readonly nth?: number | readonly number[];
  /** Stops after this many faults. */
  readonly times?: number;
  /** A schedule: only while the platform's clock is in this window, in milliseconds after the rule was added. */
  readonly during?: { readonly fromMs: number; readonly untilMs: number };
  readonly fault: Fault;
}

interface ActiveRule extends FaultRule {
  readonly addedAt: number;
  matched: number;
  used: number;
}

/** The script of what goes wrong. Rules that apply to one request add up; where they differ the later one wins. */
export class FaultPlan {
  /** How far the platform's clock is ahead of the true one: what it signs, checks and says as its time. */
  clockSkewMs = 0;
  readonly #rules = new Set<ActiveRule>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds a rule; the function that is returned takes it away again. */
  add(rule: FaultRule): () => void {
    const active: ActiveRule = { ...rule, addedAt: this.#now(), matched: 0, used: 0 };
    this.#rules.add(active);
    return () => {
      this.#rules.delete(active);
    };
  }

  clear(): void {
    this.#rules.clear();
    this.clockSkewMs = 0;
  }

  /** What goes wrong with this request: asked exactly once per request, since rules count. */
  decide(request: RequestFacts): Fault {
    let fault: Fault = {};
    for (const rule of this.#rules) {
      if (!matches(rule.when, request)) continue;
      rule.matched += 1;
      if (!this.#applies(rule)) continue;
      rule.used += 1;
      fault = { ...fault, ...rule.fault };
    }
    return fault;
  }

  #applies(rule: ActiveRule): boolean {
    if (rule.times !== undefined && rule.used >= rule.times) return false;
    if (rule.during !== undefined) {
      const age = this.#now() - rule.addedAt;
      if (age < rule.during.fromMs || age >= rule.during.untilMs) return false;
    }
    if (rule.nth === undefined) return true;
    return typeof rule.nth === 'number' ? rule.nth === rule.matched : rule.nth.includes(rule.matched);
  }
}
