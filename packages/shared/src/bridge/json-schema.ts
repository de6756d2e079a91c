import { z } from 'zod';
import { unmark } from '../identities.ts';
import { commandId, commands } from './commands.ts';
import { gameEvent } from './events.ts';
import { savedFarm } from './farms.ts';
import { farmIdentity } from './hello.ts';
import { requestId, rpcFailure, rpcResult } from './json-rpc.ts';
import { notificationsOfGame, requestsOfControlApi, requestsOfGame } from './methods.ts';
import { appliedOutcome, commandOutcome, journalEntry, namedPlayer, refusedOutcome } from './outcome.ts';
import { protocolVersion, protocolVersionSchema } from './protocol.ts';
import { gameSettings } from './settings.ts';
import { cabin, cabinsSection, farmhandSlot, networksSection, statsSection, statusSection } from './state.ts';

type Json = Readonly<Record<string, unknown>>;

/** What several messages have in them: a generator makes one type of each, by this name. */
const parts: Readonly<Record<string, z.ZodType>> = {
  ProtocolVersion: protocolVersionSchema,
  FarmIdentity: farmIdentity,
  GameSettings: gameSettings,
  StatusSection: statusSection,
  CabinsSection: cabinsSection,
  Cabin: cabin,
  StatsSection: statsSection,
  NetworksSection: networksSection,
  FarmhandSlot: farmhandSlot,
  GameEvent: gameEvent,
  NamedPlayer: namedPlayer,
  AppliedOutcome: appliedOutcome,
  RefusedOutcome: refusedOutcome,
  CommandOutcome: commandOutcome,
  JournalEntry: journalEntry,
  SavedFarm: savedFarm,
  ResultAnswer: rpcResult,
  ErrorAnswer: rpcFailure,
};

const commandRows = Object.entries(commands).map(
  ([name, { params, change }]) =>
    [name, { params: z.object({ command: commandId, ...params.shape }), change }] as const,
);

/**
 * Every message of the bridge as JSON Schema, for code generators and validators: the params of each method, what answers it, and the
 * whole lines of either side. Draft 7 is the one that generators of every language know.
 */
export function bridgeJsonSchema(): object {
  const answers = ['ResultAnswer', 'ErrorAnswer'].map(reference);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `The messages of the game bridge, version ${protocolVersion.major}.${protocolVersion.minor}`,
    description:
      'A line is `FromGame` or `FromControlApi`. A result is the `…Result` of its method, for a command a `CommandOutcome`. Members that are not named here are ignored.',
    anyOf: ['FromGame', 'FromControlApi'].map(reference),
    definitions: {
      FromGame: {
        anyOf: [
          ...Object.keys(requestsOfGame).map(request),
          ...Object.keys(notificationsOfGame).map(notification),
          ...answers,
        ],
      },
      FromControlApi: {
        anyOf: [...[...Object.keys(requestsOfControlApi), ...Object.keys(commands)].map(request), ...answers],
      },
      ...definitions(),
    },
  };
}

function definitions(): Json {
  const names = z.registry<{ id: string }>();
  const add = (id: string, schema: z.ZodType) => names.add(schema, { id });
  for (const [name, schema] of Object.entries(parts)) add(name, schema);
  for (const [name, { params, result }] of Object.entries({ ...requestsOfGame, ...requestsOfControlApi })) {
    add(`${typeName(name)}Params`, params);
    add(`${typeName(name)}Result`, result);
  }
  for (const [name, { params }] of Object.entries(notificationsOfGame))
    add(`${typeName(name)}Params`, params);
  for (const [name, { params, change }] of commandRows) {
    add(`${typeName(name)}Params`, params);
    add(`${typeName(name)}Change`, change);
  }
  const { schemas } = z.toJSONSchema(names, {
    target: 'draft-7',
    io: 'input',
    uri: (id) => `#/definitions/${id}`,
    override: ({ jsonSchema }) => unmark(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
  );
}

function request(method: string): Json {
  return message(method, { id: z.toJSONSchema(requestId, { target: 'draft-7' }) });
}

function notification(method: string): Json {
  return message(method, {});
}

function message(method: string, more: Json): Json {
  const properties = {
    jsonrpc: { const: '2.0' },
    ...more,
    method: { const: method },
    params: reference(`${typeName(method)}Params`),
  };
  return { title: method, type: 'object', properties, required: Object.keys(properties) };
}

function reference(name: string): Json {
  return { $ref: `#/definitions/${name}` };
}

function typeName(method: string): string {
  return `${method[0]?.toUpperCase()}${method.slice(1)}`;
}
