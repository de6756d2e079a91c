import type { Parameters, ValuesOf } from './endpoint.ts';
import { auditEndpoints } from './endpoints/audit.ts';
import { backupEndpoints } from './endpoints/backups.ts';
import { cabinEndpoints } from './endpoints/cabins.ts';
import { chatEndpoints } from './endpoints/chat.ts';
import { documentEndpoints } from './endpoints/documents.ts';
import { drainEndpoints } from './endpoints/drain.ts';
import { eventEndpoints } from './endpoints/events.ts';
import { farmhandEndpoints } from './endpoints/farmhands.ts';
import { farmsEndpoints } from './endpoints/farms.ts';
import { keyEndpoints } from './endpoints/keys.ts';
import { moderationEndpoints } from './endpoints/moderation.ts';
import { operationEndpoints } from './endpoints/operations.ts';
import { playerEndpoints } from './endpoints/players.ts';
import { sampleEndpoints } from './endpoints/samples.ts';
import { scheduleEndpoints } from './endpoints/schedules.ts';
import { serverEndpoints } from './endpoints/server.ts';
import { settingsEndpoints } from './endpoints/settings.ts';
import { timeEndpoints } from './endpoints/time.ts';
import { webhookEndpoints } from './endpoints/webhooks.ts';

/**
 * All that the control API can do, by the name of each operation: routes, checks of parameters, the OpenAPI document and
 * clients come from these. What each answers stands in `answers.ts`, for which a client would need a library.
 */
export const endpoints = {
  ...serverEndpoints,
  ...drainEndpoints,
  ...farmsEndpoints,
  ...sampleEndpoints,
  ...auditEndpoints,
  ...playerEndpoints,
  ...moderationEndpoints,
  ...farmhandEndpoints,
  ...settingsEndpoints,
  ...cabinEndpoints,
  ...timeEndpoints,
  ...operationEndpoints,
  ...chatEndpoints,
  ...backupEndpoints,
  ...scheduleEndpoints,
  ...eventEndpoints,
  ...keyEndpoints,
  ...webhookEndpoints,
  ...documentEndpoints,
} as const;

export type EndpointId = keyof typeof endpoints;

type DeclaredOf<Id extends EndpointId> = (typeof endpoints)[Id];

export type QueryOf<Id extends EndpointId> =
  DeclaredOf<Id> extends { readonly query: infer Given extends Parameters } ? ValuesOf<Given> : object;

export type PathOf<Id extends EndpointId> =
  DeclaredOf<Id> extends { readonly path: infer Given extends Parameters } ? ValuesOf<Given> : object;

type IdsThat<Says> = {
  [Id in EndpointId]: DeclaredOf<Id> extends Says ? Id : never;
}[EndpointId];

/** Those whose answer is made once a state. */
export type PreparedId = IdsThat<{ readonly prepared: true }>;

/** Those that are a command to the game. */
export type GameEndpointId = IdsThat<{ readonly game: string }>;

export type CommandOf<Id extends GameEndpointId> = DeclaredOf<Id>['game'];

export const endpointIds = Object.keys(endpoints) as readonly EndpointId[];

export const preparedIds = endpointIds.filter((id): id is PreparedId => 'prepared' in endpoints[id]);
