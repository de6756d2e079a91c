import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { createLogger } from '@steward/service-kit/log/logger';
import { variables } from '../../src/configuration.ts';
import { composeService } from '../../src/service.ts';
import { WebhookEgress } from '../../src/webhooks/egress/webhook-egress.ts';
import { MemoryMode } from '../game/stage/stage.ts';
import { said } from './stage/hook-story.ts';

const faster = 2_000;
const postMs = 150;
const lines = 50;
const longestWaitMs = 600_000;

// A service that tells a webhook what is said: the cursor of each line goes into a file. Its pauses are short. It waits to be killed, or
// as the last one ends when everything is delivered.
const [directory = '', toldPath = '', url = '', how] = process.argv.slice(2);
const configuration = readConfiguration(variables, {
  STATE_DIR: directory,
  SETTINGS_PATH: join(directory, 'server-settings.json'),
  PLATFORM_AUTH_URL: '',
  WEBHOOK_ALLOW: '127.0.0.1',
});
const retryClock: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms / faster, action),
};
const service = await composeService({
  configuration,
  version: '0.1.0',
  logger: createLogger('test', { LOG_LEVEL: 'warn', LOG_FORMAT: 'json' }, process.stderr),
  clock: systemClock,
  retryClock,
  random: Math.random,
  bridge: { mode: new MemoryMode() },
  egress: new WebhookEgress({ allowed: configuration.WEBHOOK_ALLOW, clock: systemClock, postMs }),
});
await service.start();
service.watch();
const query = new URLSearchParams({ url, name: 'channel', topics: 'chat' });
await service.app.inject({ method: 'POST', url: `/webhooks?${query.toString()}` });
const { events } = service.bridge;
process.stdout.write('telling\n');

for (let line = 1; line <= lines; line += 1) {
  const { cursor } = events.append(said(`line ${line}`));
  appendFileSync(toldPath, `${cursor}\n`);
  if (line % 3 === 0) await pause(1);
}
if (how !== 'last') await pause(longestWaitMs);
for (;;) {
  const { webhooks } = (await service.app.inject('/webhooks')).json();
  if (webhooks[0].lag === 0) break;
  await pause(20);
}
await service.stop();
process.stdout.write('told\n');
