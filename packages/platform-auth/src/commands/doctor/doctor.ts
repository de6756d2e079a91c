import { lookup } from 'node:dns/promises';
import { systemClock } from '@steward/service-kit/clock';
import type { Environment } from '@steward/service-kit/configuration/read';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { Secret } from '@steward/service-kit/secret';
import { variables, withLowerCaseProxies } from '../../configuration.ts';
import { isLibraryLeak } from '../../platform/library-leak.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import { composePlatform } from '../../platform/steam-platform.ts';
import { scrubbed } from '../../tokens/log-scrubbing.ts';
import { exitCodes } from '../run/exit-codes.ts';
import { sizeOf } from '../run/screen.ts';
import { type CheckFinding, errorCode } from './check-finding.ts';
import { examine } from './check-list.ts';
import {
  type DoctorLine,
  type DoctorReport,
  exitCodeOf,
  fitted,
  type Layout,
  lineOf,
  printLine,
  printSummary,
} from './report.ts';

/** Looks at everything that a session needs and says what is wrong. Resolves to the exit code. */
export async function doctor(flags: ReadonlySet<string>): Promise<number> {
  // What the libraries throw where nobody can catch it costs the check that waits, which has a limit.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (cause) => {
      if (isLibraryLeak(cause)) return;
      process.stderr.write(`platform-auth: the doctor itself failed (${errorCode(cause)})\n`);
      process.exit(exitCodes.failure.code);
    });
  const environment = withLowerCaseProxies(process.env);
  const out = scrubbed(process.stdout, secretsIn(environment));
  const sessions: PlatformSession[] = [];
  const steps = examine({
    environment,
    clock: systemClock,
    lookup,
    platform: (configuration) => composePlatform('doctor', configuration),
    opened: (session) => sessions.push(session),
  });
  const isJson = flags.has('json');
  const layout = layoutOf(process.stdout);
  const findings: CheckFinding[] = [];
  const lines: DoctorLine[] = [];
  for (const step of steps) {
    const finding = await step.finding;
    const line = lineOf(step, finding);
    findings.push(finding);
    lines.push(line);
    if (!isJson) out.write(`${printLine(line, layout)}\n`);
  }
  await Promise.all(sessions.map((session) => session.close()));
  const report: DoctorReport = { ...ofThisProgram(), checks: lines, exit_code: exitCodeOf(findings) };
  out.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : `\n${summary(report, layout)}\n`);
  return report.exit_code;
}

function summary({ checks, version, node, system }: DoctorReport, layout: Layout): string {
  const lines = [printSummary(checks), `(platform-auth ${version}, Node ${node}, ${system})`];
  return lines.flatMap((line) => fitted(line, layout)).join('\n');
}

function ofThisProgram() {
  return {
    version: packageVersion(new URL('..', import.meta.url).href),
    node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
  };
}

/** The secrets that stand in the environment itself, even where it cannot be read as a configuration. */
function secretsIn(environment: Environment): Secret[] {
  return Object.entries(variables).flatMap(([name, { kind }]) => {
    const value = environment[name];
    return kind.secret && value ? [new Secret(value)] : [];
  });
}

function layoutOf(stream: NodeJS.WriteStream): Layout {
  if (!stream.isTTY) return { hasColours: false };
  return { columns: sizeOf(stream).columns, hasColours: stream.hasColors() && !process.env['NO_COLOR'] };
}
