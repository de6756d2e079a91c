import { once } from 'node:events';
import { exitCode } from '@steward/service-kit/process/exit-code';
import { OperatorError } from '@steward/service-kit/process/operator-error';
import { demoApps } from './demo-apps.ts';
import { startPlatform } from './platform.ts';
import { asJson, asText } from './program/how-to-reach.ts';
import { type ProgramOptions, readOptions, usage } from './program/options.ts';

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(usage);
  else await run(options);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  for (const line of error.lines) process.stderr.write(`platform-emulator: ${line}\n`);
  process.exit(exitCode.usage);
}

async function run({ seed, gameBytes, accounts, json }: ProgramOptions): Promise<void> {
  const platform = await startPlatform({ seed, accounts, apps: demoApps(seed, gameBytes) });
  process.stdout.write(json ? asJson(platform) : asText(platform));
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await platform.close();
}
