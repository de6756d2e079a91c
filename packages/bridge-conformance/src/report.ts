import type { Finding } from './conformance.ts';

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
