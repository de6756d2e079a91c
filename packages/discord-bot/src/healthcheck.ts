import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, every } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { exitCode } from '@steward/service-kit/process/errors';
import { directoryOf, variables } from './configuration.ts';

const signEveryMs = 15_000;
/** A session that was lost is there again sooner, unless something is wrong. */
const longestMs = 60_000;

const signIn = (directory: string): string => join(directory, 'connected');

/** Leaves a sign for the health check as long as the bot is connected; returns what ends it. */
export function showHealth(directory: string, isConnected: () => boolean, clock: Clock): () => void {
  return every(clock, signEveryMs, () => {
    if (isConnected()) void writeFile(signIn(directory), '').catch(() => {});
  });
}

/** Succeeds where the sign is new. */
export async function healthcheck(): Promise<number> {
  const directory = directoryOf(readConfiguration({ DATA_DIR: variables.DATA_DIR }, process.env));
  const left = await stat(signIn(directory)).catch(() => undefined);
  if (left !== undefined && Date.now() - left.mtimeMs < longestMs) return exitCode.ok;
  process.stderr.write('discord-bot: it is not connected to Discord; its log says why\n');
  return exitCode.failure;
}
