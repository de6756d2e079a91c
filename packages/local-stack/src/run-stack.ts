import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { logVariables } from '@steward/service-kit/configuration/log-variables';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { createLogger } from '@steward/service-kit/log/logger';
import { exitCode } from '@steward/service-kit/process/exit-code';
import { runUntilSignal } from '@steward/service-kit/process/run-until-signal';
import { LogStream } from './log-stream.ts';
import { members } from './members.ts';
import type { Options } from './options.ts';
import { choosePort } from './ports.ts';
import { RunningMember } from './running-member.ts';
import { whatToTry } from './what-to-try.ts';

/** Kept between runs, never committed. */
const stateDirectory = fileURLToPath(new URL('../../../.steward/', import.meta.url));

/** Longer than any member may take, so that the stack does not leave before them. */
const stopLimitMs = 60_000;

/** Starts every member, says what to try, and stops them all when told to or when one of them ends. */
export async function runStack({ fresh }: Options): Promise<void> {
  const logger = createLogger('steward', readConfiguration(logVariables, process.env), process.stdout);
  const ports = {
    controlApi: await choosePort('API_PORT', process.env['API_PORT'], 8080),
    platformAuth: await choosePort('PORT', process.env['PORT'], 3001),
  };
  if (fresh) rmSync(stateDirectory, { recursive: true, force: true });
  mkdirSync(stateDirectory, { recursive: true });

  const all = members(ports, stateDirectory);
  const log = new LogStream(
    process.stdout,
    all.map(({ name }) => name),
  );
  const running: RunningMember[] = [];
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const member of running.toReversed()) await member.stop();
  };
  runUntilSignal({ stop, logger, limitMs: stopLimitMs });

  for (const member of all) {
    const started = new RunningMember(member, log);
    running.push(started);
    void started.exited.then(async () => {
      if (stopping) return;
      logger.error(`${started.name} ended; stopping the others`);
      await stop();
      process.exit(exitCode.failure);
    });
    if (!(await started.ready())) return;
  }
  process.stdout.write(whatToTry(ports, process.env['API_KEY']));
}
