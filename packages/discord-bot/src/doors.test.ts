import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { expect, it, onTestFinished, vi } from 'vitest';
import { variables } from './configuration.ts';
import { doorsOf } from './doors.ts';

it('Discord is asked as before after the clock of the machine was set back by hours', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    // Behind the first one the library waits.
    const rate = { limit: 5, remaining: asked === 1 ? 0 : 4, 'reset-after': 1 };
    for (const [name, value] of Object.entries(rate)) response.setHeader(`x-ratelimit-${name}`, value);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const environment = {
    ...{
      DISCORD_TOKEN: 'a.b.c',
      DISCORD_CHANNEL: '112233445566778899',
      DISCORD_API: `http://127.0.0.1:${port}`,
    },
    ...{ STEWARD_URL: 'http://127.0.0.1:1', STEWARD_KEY: 'k' },
  };
  const { api, rest } = doorsOf(readConfiguration(variables, environment), systemClock);
  const limited = new Promise((_resolve, reject) =>
    rest.on('rateLimited', ({ timeToReset }) => reject(new Error(`nothing is sent for ${timeToReset} ms`))),
  );
  await api.users.getCurrent();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  // More than the library sends in a second by itself.
  for (let request = 0; request < 60; request += 1) await Promise.race([api.users.getCurrent(), limited]);
  expect(rest.globalRemaining).toBeGreaterThan(0);
});
