import { stringifyExact } from '@steward/service-kit/json';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { describedServer } from './http/openapi/described-server.ts';

/** The OpenAPI document as it is committed, and served by every process. */
export async function documentText(): Promise<string> {
  const server = await describedServer(packageVersion(import.meta.url));
  return `${stringifyExact(server.swagger(), 2)}\n`;
}
