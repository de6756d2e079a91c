import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { type Clock, systemClock } from '../../src/clock.ts';
import { examine, type Surroundings } from '../../src/doctor/check-list.ts';
import { type DoctorLine, exitCodeOf, lineOf } from '../../src/doctor/report.ts';
import type { PlatformSession } from '../../src/platform/platform-session.ts';
import { SteamPlatform } from '../../src/platform/steam-platform.ts';
import type { Emulated } from './emulated.ts';

const doctorsLogonId = 4711;

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
  const sessions: PlatformSession[] = [];
  const clock: Clock = other.clock ?? systemClock;
  const steps = examine({
    environment: {
      HOST: '127.0.0.1',
      PORT: await unusedPort(),
      SESSION_DIR: world.directory,
      GAME_DIR: world.directory,
      PLATFORM_PROXY: world.platform.proxyUrl,
      ...environment,
    },
    clock,
    lookup: other.lookup ?? lookup,
    platform: (route) => new SteamPlatform({ proxy: route, logonId: doctorsLogonId, clock: systemClock }),
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

/** Where nothing listens, since what listened has just stopped. */
export async function unusedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('it did not listen');
  return String(address.port);
}
