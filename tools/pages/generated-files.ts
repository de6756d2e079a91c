import { readFileSync } from 'node:fs';
import { documentText } from '@steward/control-api/document-text';
import { asyncApiDocument } from '@steward/control-api/http/streams/async-api';
import { filterTable } from '@steward/platform-auth/download/filter/filter-table';
import type { Endpoint } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { bridgeJsonSchema } from '@steward/shared/bridge/json-schema';
import { eventData } from '@steward/shared/events/event-data';
import {
  type EventType,
  eventTypeNames,
  eventTypes,
  topicNames,
  topicOf,
  topics,
} from '@steward/shared/events/event-types';
import { isIdentity } from '@steward/shared/identities';
import { enough, type Scope, scopeNames, scopes } from '@steward/shared/scopes';
import { assistantPlaces } from './assistants.ts';
import { clientFiles, clientPlaces } from './client.ts';
import { configurationPlaces, discordPlaces, environmentFile } from './configuration.ts';
import { eggFiles, eggPlaces } from './eggs.ts';
import { errorPlaces, exitCodePlaces, sidecarErrorPlaces } from './errors.ts';
import { botPlaces } from './examples.ts';
import { inviteCodePlaces } from './invite-codes.ts';
import { asCode, filled, type Places, table } from './places.ts';

const root = new URL('../../', import.meta.url);

const downloadPlaces: Places = {
  'filter table': table(
    ['Left out', 'Why', 'Kept by'],
    filterTable.map(({ what, reason, language }) => [
      what,
      reason,
      asCode(language ?? 'PLATFORM_KEEP_FILES'),
    ]),
  ),
};

/** A parameter that asks for more than its endpoint stands where that is. */
const scopePlaces: Places = {
  scopes: table(
    ['Scope', 'Allows', 'Endpoints'],
    [
      ['none', 'For everyone who can reach the port', endpointsFor('public')],
      ...scopeNames.map((scope) => [asCode(scope), scopes[scope], endpointsFor(scope)]),
    ],
  ),
};

function endpointsFor(scope: Scope | 'public'): string {
  return Object.values<Endpoint>(endpoints)
    .flatMap(({ on, scope: needed, query = {} }) => {
      const more = Object.entries(query).filter(([, parameter]) => parameter.scope === scope);
      return [
        ...(needsOneOf(needed).includes(scope) ? [asCode(on)] : []),
        ...(more.length === 0 ? [] : [`${asCode(on)} with ${more.map(([name]) => asCode(name)).join(', ')}`]),
      ];
    })
    .join(', ');
}

function needsOneOf(needed: Endpoint['scope']): readonly (Scope | 'public')[] {
  return needed === 'public' ? [needed] : enough(needed);
}

const eventPlaces: Places = {
  'types of events': topicNames
    .map((topic) => {
      const types = eventTypeNames.filter((type) => topicOf(type) === topic);
      const { means, hear } = topics[topic];
      const scopes = enough(hear).map(asCode).join(' or ');
      const rows = types.map((type) => [asCode(type), eventTypes[type], membersOf(type)]);
      return `### ${asCode(topic)}\n\n${means}. For keys with ${scopes}.\n\n${table(['Type', 'What happened', '`data`'], rows)}`;
    })
    .join('\n\n'),
};

function membersOf(type: EventType): string {
  const members = Object.entries(eventData[type].shape).map(([name, member]) => {
    const marks = [
      ...(isIdentity(member) ? ['for `moderate` alone'] : []),
      ...(member.isOptional() ? ['where there is one'] : []),
    ];
    return marks.length === 0 ? asCode(name) : `${asCode(name)} (${marks.join(', ')})`;
  });
  return members.length === 0 ? 'nothing more' : members.join(', ');
}

/** Pages that people write, with tables that come from the code. */
const pages: Readonly<Record<string, Places>> = {
  'docs/api.md': scopePlaces,
  'docs/assistants.md': assistantPlaces,
  'docs/chat-bots.md': botPlaces,
  'docs/configuration.md': configurationPlaces,
  'docs/discord.md': discordPlaces,
  'docs/download.md': downloadPlaces,
  'docs/errors.md': errorPlaces,
  'docs/events.md': eventPlaces,
  'docs/exit-codes.md': exitCodePlaces,
  'docs/invite-codes.md': inviteCodePlaces,
  'docs/panels.md': eggPlaces,
  'docs/sidecar-errors.md': sidecarErrorPlaces,
  'packages/client/README.md': clientPlaces,
};

/** Every committed file that is made from code, or has a place that is, by its path in the checkout. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const document = await documentText();
  return new Map([
    ...Object.entries(pages).map(([path, places]) => [path, page(path, places)] as const),
    ['docs/api-spec.json', document],
    ...clientFiles(document),
    ['docs/async-api.json', jsonFile(asyncApiDocument(ofNoRelease))],
    ['docs/bridge-schema.json', jsonFile(bridgeJsonSchema())],
    ['.env.example', environmentFile()],
    ...eggFiles,
  ]);
}

function page(path: string, places: Places): string {
  return filled(readFileSync(new URL(path, root), 'utf8'), places);
}

/** A running server says which release it is. */
const ofNoRelease = 'v1';

function jsonFile(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}
`;
}
