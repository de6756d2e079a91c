import { methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints, preparedIds } from '@steward/shared/api/endpoints';

const pathOf = (id: (typeof preparedIds)[number]) => methodAndPath(endpoints[id]).path;

/** Every path whose answer lies ready. */
export const polled = preparedIds.map(pathOf);

/** Those of them that are answered from the last pushed state alone; the settings are this service's own. */
export const reads = preparedIds.filter((id) => id !== 'getSettings').map(pathOf);
