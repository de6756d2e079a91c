import { join } from 'node:path';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { takeProcessLock } from '@steward/service-kit/files/process-lock';
import { runUntilSignal } from '@steward/service-kit/process/ending';
import { codeInBrackets, OperatorError } from '@steward/service-kit/process/errors';
import { Bot } from './bot.ts';
import { directoryOf, variables } from './configuration.ts';
import { channelOf } from './doors.ts';
import { showHealth } from './healthcheck.ts';
import { createLog } from './log.ts';
import { PlacesFile } from './relay/places.ts';

/** Reads the configuration and runs the bot until it is told to stop. */
export async function serve(): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const channel = channelOf(configuration);
  const log = createLog(configuration, process.stdout);
  const directory = directoryOf(configuration);
  await lock(directory);
  const file = await PlacesFile.read(join(directory, 'places.json'), channel);
  const bot = new Bot(configuration, file, { clock: systemClock, random: Math.random, log });
  runUntilSignal({ stop: () => bot.stop(), logger: log });
  const end = showHealth(directory, () => bot.isConnected, systemClock);
  await bot.run().finally(end);
}

/** Two bots with one place would each carry half of the chat, or all of it twice. */
async function lock(directory: string): Promise<void> {
  try {
    await makeDirectory(directory);
    const files = { lock: join(directory, 'bot.lock'), holder: join(directory, 'bot.holder.json') };
    const taken = await takeProcessLock(files, { command: 'serve', now: () => new Date() });
    if (taken.kind === 'held')
      throw new OperatorError(
        `another bot uses ${directory} (process ${taken.by?.pid ?? 'unknown'}): stop it, or give this one its own DATA_DIR`,
      );
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${directory} in DATA_DIR cannot be written to${codeInBrackets(error)}: it must be a folder that this user owns`,
    );
  }
}
