import { matches, type RequestFacts, type RequestMatcher } from '../record/request-facts.ts';
import type { Fault } from './fault.ts';

export interface FaultRule {
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
