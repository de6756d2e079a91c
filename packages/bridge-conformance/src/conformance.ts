import type { Bench } from './driver/bench.ts';
import { NotChecked, type Patience, RuleBroken } from './driver/patience.ts';
import { Stand } from './driver/stand.ts';
import type { Rule } from './rules/rule.ts';

export interface Finding {
  readonly rule: Rule;
  readonly verdict: 'kept' | 'broken' | 'not checked';
  readonly what: string;
}

export interface DriveOptions {
  /** An app ticket in base64, for a game that opens no lobby without one. */
  readonly ticket?: string | undefined;
  /** Told of each finding as it is made. */
  readonly found?: (finding: Finding) => void;
}

/** Drives the game through the rules, one after the other; a broken one does not keep the others from their turn, unless it is that no word came. */
export async function drive(
  bench: Bench,
  rules: readonly Rule[],
  patience: Patience,
  { ticket, found = () => {} }: DriveOptions = {},
): Promise<Finding[]> {
  const stand = new Stand(bench, patience, ticket);
  const findings: Finding[] = [];
  try {
    for (const rule of rules) {
      const isSilent = stand.heardNothing && findings.some(({ verdict }) => verdict === 'broken');
      const finding = isSilent ? unheard(rule) : await judge(rule, stand);
      findings.push(finding);
      found(finding);
      if (finding.verdict === 'broken') await stand.drop(true);
    }
  } finally {
    await bench.close();
  }
  return findings;
}

/** A game that never spoke breaks every rule alike: waiting for each, and a remedy for each, would help nobody. */
function unheard(rule: Rule): Finding {
  return { rule, verdict: 'not checked', what: 'the game has not said a word so far' };
}

async function judge(rule: Rule, stand: Stand): Promise<Finding> {
  if (rule.only !== undefined && rule.only !== stand.bench.mode)
    return { rule, verdict: 'not checked', what: `only with --${rule.only}` };
  try {
    await rule.check(stand);
    return { rule, verdict: 'kept', what: '' };
  } catch (error) {
    if (error instanceof NotChecked) return { rule, verdict: 'not checked', what: error.message };
    if (error instanceof RuleBroken) return { rule, verdict: 'broken', what: error.message };
    throw error;
  }
}
