import type { MayJoinResult } from '@steward/shared/bridge/questions';
import type { Visitor } from './visitor.ts';

export interface JoinCount {
  readonly path: Visitor['path'];
  readonly decision: MayJoinResult['decision'];
  readonly count: number;
}

/** How often which decision was made for those who came which way. */
export class JoinCounts {
  readonly #counts = new Map<string, JoinCount>();

  decided(path: Visitor['path'], decision: MayJoinResult['decision']): void {
    const key = `${path} ${decision}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { path, decision, count });
  }

  get all(): readonly JoinCount[] {
    return [...this.#counts.values()];
  }
}
