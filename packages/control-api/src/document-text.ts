import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { parseExact, stringifyExact } from '@steward/service-kit/json';
import { createLogger } from '@steward/service-kit/log/logger';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { methodAndPath } from '@steward/shared/api/endpoint';
import { documentEndpoints } from '@steward/shared/api/endpoints/documents';
import { variables } from './configuration.ts';
import { composeService } from './service.ts';

/** The OpenAPI document as it is committed: of a service that is composed like any other and never started. */
export async function documentText(): Promise<string> {
  const { app } = await composeService({
    configuration: readConfiguration(variables, {}),
    version: packageVersion(import.meta.url),
    logger: createLogger('api-spec', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
    clock: systemClock,
    retryClock: systemClock,
    random: Math.random,
  });
  const { body } = await app.inject(methodAndPath(documentEndpoints.getDocument).path);
  return `${stringifyExact(parseExact(body), 2)}\n`;
}
