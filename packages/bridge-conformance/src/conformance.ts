import type { Bench } from './driver/bench.ts';
import { NotChecked, type Patience, RuleBroken } from './driver/patience.ts';
import { Stand } from './driver/stand.ts';
import { claims } from './rules/claims.ts';
import { connecting, validMessages } from './rules/connecting.ts';
import { farms } from './rules/farms.ts';
import { journal } from './rules/journal.ts';
import type { Rule } from './rules/rule.ts';
import { stopping } from './rules/stopping.ts';
import { wire } from './rules/wire.ts';

/** In the order in which they are checked: what others build upon comes first. */
export const allRules: readonly Rule[] = [
  ...connecting,
  ...wire,
  ...claims,
  ...journal,
  ...farms,
  ...stopping,
];

interface Finding {
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
    const [malformed] = stand.malformed;
    const at = findings.findIndex(({ rule, verdict }) => rule === validMessages && verdict !== 'broken');
    if (malformed !== undefined && at !== -1) {
      // It came under another rule, after its own was checked, or of a game that never said hello.
      const late: Finding = { rule: validMessages, verdict: 'broken', what: malformed };
      findings[at] = late;
      found(late);
    }
  } finally {
    await bench.close();
  }
  return findings;
}

/** A game that never spoke breaks every rule alike: waiting for each, and a remedy for each, would help nobody. */
function unheard(rule: Rule): Finding {
  return { rule, verdict: 'not checked', what: 'the game has sent nothing so far' };
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

const marks = { kept: 'ok', broken: 'BROKEN', 'not checked': '-' } as const;

/** A finding as lines that tell an author what to do next. */
export function reportLines({ rule, verdict, what }: Finding): string {
  const line = `${marks[verdict].padEnd(7)}${rule.id.padEnd(22)}${rule.says}`;
  if (verdict === 'kept') return `${line}\n`;
  const indent = ' '.repeat(7);
  if (verdict === 'not checked') return `${line}\n${indent}not checked: ${what}\n`;
  return `${line}\n${indent}What happened: ${what}\n${indent}What to do:    ${rule.remedy}\n${indent}See:           docs/game-bridge.md, "${rule.section}"\n`;
}

export function summary(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict);
  const broken = count('broken');
  const counts = `${findings.length} rules: ${count('kept').length} kept, ${broken.length} broken, ${count('not checked').length} not checked`;
  return broken.length === 0
    ? `${counts}\n`
    : `${counts}\nBroken: ${broken.map(({ rule }) => rule.id).join(', ')}\n`;
}
