import { styleText } from 'node:util';
import { wordWrap } from '@steward/service-kit/text/layout';
import { forTerminal } from '@steward/service-kit/text/terminal';
import { z } from 'zod';
import { exitCodes } from '../run/exit-codes.ts';
import type { CheckFinding } from './check-finding.ts';
import type { Step } from './examination.ts';

/** One line of the report. */
const doctorLine = z.object({
  check: z.string().meta({ description: 'The name of the check; it never changes' }),
  title: z.string(),
  status: z.enum(['ok', 'warning', 'failed', 'skipped']),
  found: z.string(),
  remedy: z.string().optional().meta({ description: 'With warning and failed: how to fix it' }),
});

/** What `doctor --json` prints. */
export const doctorReport = z.object({
  version: z.string().meta({ description: 'Of this program' }),
  node: z.string(),
  system: z.string(),
  checks: z.array(doctorLine),
  exit_code: z.int().meta({ description: 'The exit code of the process' }),
});

export type DoctorLine = z.infer<typeof doctorLine>;
export type DoctorReport = z.infer<typeof doctorReport>;

export function lineOf(
  { name, title }: Pick<Step<unknown>, 'name' | 'title'>,
  finding: CheckFinding,
): DoctorLine {
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
export function exitCodeOf(findings: readonly CheckFinding[]): number {
  const first = findings.find((finding) => finding.status === 'failed');
  return exitCodes[first?.status === 'failed' ? first.end : 'ok'].code;
}

const statusWidth = 'skipped'.length + 2;
/** A terminal that is narrower gets lines of this length all the same. */
const leastWidth = 24;

const colours = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;

/** How a report is set. */
export interface Layout {
  /** Absent where it is no terminal: then every check is one line, however long. */
  readonly columns?: number;
  readonly hasColours: boolean;
}

/** One check, as a person reads it; on a terminal its text is wrapped beside the status. */
export function printLine({ status, title, found, remedy }: DoctorLine, layout: Layout): string {
  const text = forTerminal(`${title}: ${found}${remedy === undefined ? '' : `. ${remedy}`}`);
  const rows = fitted(text, layout, statusWidth);
  const [first = '', ...rest] = rows;
  const word = status.padEnd(statusWidth);
  const shown = layout.hasColours ? styleText(colours[status], word, { validateStream: false }) : word;
  return [`${shown}${first}`, ...rest.map((row) => `${' '.repeat(statusWidth)}${row}`)].join('\n');
}

/** Text as rows, with room for an indent. */
export function fitted(text: string, { columns }: Layout, indent = 0): string[] {
  return columns === undefined ? [text] : wordWrap(text, Math.max(leastWidth, columns) - indent);
}

/** What it comes to, for whoever reads no more than the end. */
export function printSummary(lines: readonly DoctorLine[]): string {
  const failures = lines.filter(({ status }) => status === 'failed');
  const warnings = lines.filter(({ status }) => status === 'warning').length;
  const [first] = failures;
  const besides = warnings === 0 ? '' : `, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  if (first === undefined) return `Nothing failed${besides}`;
  return `${failures.length} of ${lines.length} checks failed${besides}: begin with "${first.title}"`;
}
