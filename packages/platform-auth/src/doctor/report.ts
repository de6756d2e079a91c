import { z } from 'zod';
import { exitCodes } from '../commands/run/exit-codes.ts';
import type { Step } from './examination.ts';
import type { Finding } from './finding.ts';

/** One line of the report. */
export const doctorLine = z.object({
  check: z.string().meta({ description: 'The name of the check; it stays what it is' }),
  title: z.string(),
  status: z.enum(['ok', 'warning', 'failed', 'skipped']),
  found: z.string(),
  remedy: z.string().optional().meta({ description: 'With warning and failed: what mends it' }),
});

/** What `doctor --json` prints. */
export const doctorReport = z.object({
  version: z.string().meta({ description: 'Of this program' }),
  node: z.string(),
  system: z.string(),
  checks: z.array(doctorLine),
  exit_code: z.int().meta({ description: 'What the process ends with' }),
});

export type DoctorLine = z.infer<typeof doctorLine>;
export type DoctorReport = z.infer<typeof doctorReport>;

export function lineOf({ name, title }: Pick<Step<unknown>, 'name' | 'title'>, finding: Finding): DoctorLine {
  const { status, found } = finding;
  return {
    check: name,
    title,
    status,
    found,
    ...('remedy' in finding ? { remedy: finding.remedy } : {}),
  };
}

/** The first failure decides: those below it may be its consequences. Warnings are none. */
export function exitCodeOf(findings: readonly Finding[]): number {
  const first = findings.find((finding) => finding.status === 'failed');
  return exitCodes[first?.status === 'failed' ? first.end : 'ok'].code;
}
