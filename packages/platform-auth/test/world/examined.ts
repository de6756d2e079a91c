import { lookup } from 'node:dns/promises';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { freePort } from '@steward/testing/free-port';
import { expect } from 'vitest';
import { examine, type Surroundings } from '../../src/commands/doctor/check-list.ts';
import { type DoctorLine, exitCodeOf, lineOf } from '../../src/commands/doctor/report.ts';
import { type ExitCodeName, exitCodes } from '../../src/commands/run/exit-codes.ts';
import type { PlatformSession } from '../../src/platform/platform-session.ts';
import { composePlatform } from '../../src/platform/steam-platform.ts';
import { type Emulated, gameApp } from './emulated.ts';
import { wholeGame } from './whole-game.ts';

export interface Examined {
  readonly lines: readonly DoctorLine[];
  readonly exitCode: number;
  line(check: string): DoctorLine;
}

/** What the doctor finds inside this process: over the real libraries, with an environment of the test's. */
export async function examined(
  world: Emulated,
  environment: NodeJS.ProcessEnv,
  other: Partial<Pick<Surroundings, 'clock' | 'lookup'>> = {},
): Promise<Examined> {
  using game = wholeGame();
  const sessions: PlatformSession[] = [];
  const clock: Clock = other.clock ?? systemClock;
  const steps = examine({
    environment: {
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      SESSION_DIR: world.directory,
      GAME_DIR: game.path,
      PLATFORM_PROXY: world.platform.proxyUrl,
      ...environment,
    },
    clock,
    lookup: other.lookup ?? lookup,
    platform: (configuration) => composePlatform('doctor', configuration),
    opened: (session) => sessions.push(session),
  });
  const findings = await Promise.all(steps.map(({ finding }) => finding));
  await Promise.all(sessions.map((session) => session.close()));
  const lines = steps.flatMap((step, index) => {
    const finding = findings[index];
    return finding === undefined ? [] : [lineOf(step, finding)];
  });
  return {
    lines,
    exitCode: exitCodeOf(findings),
    line(check) {
      const found = lines.find((line) => line.check === check);
      if (found === undefined) throw new Error(`there is no check ${check}`);
      return found;
    },
  };
}

export const doctorsAccounts = [
  { name: 'ann', password: 'pass-of-ann', owns: [gameApp] },
  { name: 'bob', password: 'pass-of-bob', owns: [gameApp] },
  { name: 'poor', password: 'pass-of-poor', owns: [] },
];

export function statuses({ lines }: Examined, status: DoctorLine['status']): string[] {
  return lines.filter((line) => line.status === status).map(({ check }) => check);
}

/** That the one line names what is broken, with something to do about it, and decides the exit code. */
export function onlyFailure(found: Examined, check: string, text: RegExp, end: ExitCodeName): void {
  expect(statuses(found, 'failed')).toEqual([check]);
  expect(found.line(check).found).toMatch(text);
  expect(found.line(check).remedy?.length).toBeGreaterThan(10);
  expect(found.exitCode).toBe(exitCodes[end].code);
}
