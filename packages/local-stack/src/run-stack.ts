import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { variables } from '@steward/control-api/configuration';
import { freshDashboard } from '@steward/dashboard/build';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { logVariables } from '@steward/service-kit/configuration/variable';
import { createLogger } from '@steward/service-kit/log/logger';
import { runUntilSignal } from '@steward/service-kit/process/ending';
import { OperatorError } from '@steward/service-kit/process/errors';
import { waitForCodes } from './farm-watch.ts';
import { MemberLog } from './member-log.ts';
import {
  apiStopLimitMs,
  checkLength,
  controlApi,
  forget,
  platformAuth,
  platformEmulator,
  reach,
} from './members.ts';
import type { Options } from './options.ts';
import { choosePorts } from './ports.ts';
import { Stack } from './stack.ts';
import { whatToTry, whereThePageIs } from './what-to-try.ts';

const wishedPorts = {
  controlApi: { variable: 'API_PORT', preferred: 8080 },
  dashboard: { variable: 'DASHBOARD_PORT', preferred: 8090 },
  platformAuth: { variable: 'PORT', preferred: 3001 },
} as const;

const usualPort = wishedPorts.controlApi.preferred;

const keyBytes = 24;

/** What the other members may take, after the control API, so that the stack does not leave before them. */
const othersStopLimitMs = 110_000;

const lookForNpmMs = 500;

/** Starts every member, says what to try, and stops them all when told to or when one of them ends. */
export async function runStack({ fresh, state, key: makesKey }: Options): Promise<void> {
  const { LOG_LEVEL, LOG_FORMAT } = readConfiguration(logVariables, process.env);
  const log = new MemberLog(process.stdout, LOG_FORMAT !== 'json');
  const logger = createLogger('steward', { LOG_LEVEL, LOG_FORMAT: 'json' }, ownLines(log));
  const key = keyOf(makesKey);
  const ports = await choosePorts(wishedPorts, process.env);
  const kept = stateOf(state, ports.controlApi);
  checkLength(kept);
  if (fresh) forget(kept);
  mkdirSync(kept, { recursive: true });

  const stack = new Stack(log, logger);
  runUntilSignal({ stop: () => stack.stop(), logger, limitMs: apiStopLimitMs() + othersStopLimitMs });
  leaveWithNpm();

  const page = freshDashboard();
  const emulator = stack.start(platformEmulator, { keepsFirstLine: true });
  const platform = await reach(emulator).catch((error: unknown) => {
    if (!stack.isStopping) throw error;
    return undefined;
  });
  // Whoever stops this early ends the emulator before it says anything, and that is no failure.
  if (platform === undefined || stack.isStopping) return;
  const [sidecar, api] = await Promise.all([
    stack.startService(platformAuth(ports, kept, platform)),
    // A page that was left open would have it read the old one, and keep that.
    page.then(() => stack.startService(controlApi(ports, kept, platform, makesKey ? key : undefined))),
  ]);
  if (!sidecar || !api) return;
  if (ports.controlApi !== usualPort) process.stdout.write(otherPort(ports.controlApi, kept));
  // Whoever reads a log must not find a key in it.
  const keyToTry = {
    isAsked: key !== undefined,
    shown: process.stdout.isTTY ? key : undefined,
    isNew: makesKey,
  };
  process.stdout.write(whereThePageIs(ports, keyToTry));
  try {
    const joining = await waitForCodes(ports.controlApi, key);
    process.stdout.write(whatToTry(ports, { state, kept }, keyToTry, joining));
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** What the stack itself has to say goes among the lines of its members. */
function ownLines(log: MemberLog): Writable {
  return new Writable({
    write(line, _encoding, done) {
      log.write('steward', String(line).trimEnd());
      done();
    },
  });
}

function keyOf(makesKey: boolean): string | undefined {
  const set = process.env['API_KEY'] || process.env['API_KEY_FILE'];
  if (!makesKey) return readConfiguration({ API_KEY: variables.API_KEY }, process.env).API_KEY?.reveal();
  if (set) throw new OperatorError('API_KEY is already set; leave out --key, or unset it');
  if (!process.stdout.isTTY)
    throw new OperatorError('--key shows its key only in a terminal, and this is not one; set API_KEY');
  return randomBytes(keyBytes).toString('base64url');
}

/** An npm that was killed tells nobody; what it has started has another parent from then on. */
function leaveWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const { ppid } = process;
  const look = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGHUP');
  }, lookForNpmMs).unref();
}

function otherPort(port: number, kept: string): string {
  const isSet = Boolean(process.env[wishedPorts.controlApi.variable]);
  const thisFarm = isSet ? 'This farm' : `Port ${usualPort} is taken, so this farm`;
  return `\n${thisFarm} runs on port ${port} and its data is in ${kept}\n`;
}

/** Stacks side by side differ in their ports, and each keeps its own farm. */
function stateOf(state: string, port: number): string {
  return port === usualPort ? state : join(state, String(port));
}
