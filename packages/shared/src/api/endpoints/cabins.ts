import type { Endpoints } from '../endpoint.ts';

export const cabinEndpoints = {
  listCabins: {
    on: 'GET /cabins',
    group: 'Cabins',
    scope: 'read',
    summary: 'Cabins, their owners and positions',
    prepared: true,
  },
} as const satisfies Endpoints;
