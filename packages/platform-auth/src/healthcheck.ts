import { readConfiguration } from '@steward/service-kit/configuration/read';
import { checkHealth } from '@steward/service-kit/http/health-check';
import { variables } from './configuration.ts';

export async function healthcheck(): Promise<void> {
  const { HOST, PORT } = readConfiguration(variables, process.env);
  await checkHealth(HOST, PORT);
}
