import { variables } from '@steward/control-api/configuration';
import { stopLimitMs } from '@steward/control-api/serve';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { afterEach, expect, it, vi } from 'vitest';
import { apiStopLimitMs, controlApi } from './members.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['', ''],
  ['120', ''],
  ['3600', '600'],
])('lets the control API leave by itself: STOP_DRAIN_SECONDS=%s GAME_STOP_TIMEOUT=%s', (drain, save) => {
  const environment = { STOP_DRAIN_SECONDS: drain, GAME_STOP_TIMEOUT: save };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const ports = { controlApi: 8080, dashboard: 8090, platformAuth: 3001 };
  const platform = { proxyUrl: '', caFile: '', ticketKey: '', refreshToken: '' };
  expect(controlApi(ports, '/state', platform, undefined).stopLimitMs).toBe(apiStopLimitMs());
  expect(apiStopLimitMs()).toBeGreaterThan(stopLimitMs(readConfiguration(variables, environment)));
});
