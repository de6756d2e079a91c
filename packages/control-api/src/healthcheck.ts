import { readConfiguration } from '@steward/service-kit/configuration/read';
import { checkHealth } from '@steward/service-kit/http/health-check';
import { variables } from './configuration.ts';

/** A server whose API is switched off is as healthy as it can be. */
export async function healthcheck(): Promise<void> {
  const { API_ENABLED, API_HOST, API_PORT } = readConfiguration(variables, process.env);
  if (API_ENABLED) await checkHealth(API_HOST, API_PORT);
}
