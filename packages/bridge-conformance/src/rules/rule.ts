import type { Stand } from '../driver/stand.ts';

/** One rule of docs/game-bridge.md: how it is checked, and what an author does who breaks it. */
export interface Rule {
  readonly id: string;
  readonly says: string;
  /** The heading of the page that explains it. */
  readonly section: string;
  readonly remedy: string;
  readonly only?: 'listen' | 'spawn';
  /** Throws `RuleBroken` or `NotChecked`. */
  check(stand: Stand): Promise<void>;
}
