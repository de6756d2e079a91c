import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';

/** Every path that is answered from the last pushed state alone; the settings are this service's own. */
export const reads = Object.entries<Endpoint>(endpoints)
  .filter(([id, endpoint]) => 'prepared' in endpoint && id !== 'getSettings')
  .map(([, endpoint]) => methodAndPath(endpoint).path);
