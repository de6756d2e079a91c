import type { CommandName } from '../bridge/commands.ts';
import type { Kind, Row } from '../kinds.ts';
import type { ProblemCode } from '../problems/problem-codes.ts';
import type { Needed, Scope } from '../scopes.ts';

/** The groups of the API, in the order in which the docs page shows them. */
export const groups = [
  { name: 'Server', description: 'Status, health, rendering and operations' },
  { name: 'Farms', description: 'The game’s saves, and the one that is loaded' },
  { name: 'Players', description: 'Connected players, invite codes and roles' },
  { name: 'Moderation', description: 'Announcements, kicks, bans and the allowlist' },
  { name: 'Farmhands', description: 'Farmhand slots: the characters that players take' },
  { name: 'Settings', description: 'The server settings file' },
  { name: 'Cabins', description: 'Cabins and their positions' },
  { name: 'Time', description: "The farm's clock" },
  { name: 'Chat', description: 'The chat in the game' },
  { name: 'Backups', description: 'Backups of the farm, and restoring them' },
  { name: 'Schedules', description: 'Automatic actions' },
  { name: 'Events', description: 'Live events, kept for a while' },
  { name: 'Keys', description: 'Keys that can do less than API_KEY' },
  { name: 'Webhooks', description: 'URLs that receive events' },
] as const;

export type GroupName = (typeof groups)[number]['name'];

/** What stands in a path, a query or a header under one name. */
export interface Parameter<T = unknown, IsRequired extends boolean = boolean> extends Row<T> {
  readonly isRequired: IsRequired;
  /** What a key has to be good for beyond the endpoint's own scope, where it names this. */
  readonly scope?: Scope;
  readonly example?: string | number;
  /** Its value stands in no log, in no line of the audit and in no error. */
  readonly isSecret?: true;
}

export type Parameters = Readonly<Record<string, Parameter>>;

type Meaning = Pick<Parameter, 'means' | 'example' | 'scope' | 'isSecret'>;

export function required<T>(kind: Kind<T>, meaning: Meaning): Parameter<T, true> {
  return { kind, isRequired: true, ...meaning };
}

export function optional<T>(kind: Kind<T>, meaning: Meaning): Parameter<T, false> {
  return { kind, isRequired: false, ...meaning };
}

/** What a handler gets and a client gives, by the names of the parameters. */
export type ValuesOf<Given extends Parameters> = {
  readonly [Name in keyof Given as Given[Name]['isRequired'] extends true ? Name : never]: ValueOf<
    Given[Name]
  >;
} & {
  readonly [Name in keyof Given as Given[Name]['isRequired'] extends true ? never : Name]?: ValueOf<
    Given[Name]
  >;
};

type ValueOf<Given extends Parameter> = Given['kind'] extends Kind<infer T> ? T : never;

interface Declared {
  readonly group: GroupName;
  readonly summary: string;
  readonly description?: string;
  readonly path?: Parameters;
  readonly query?: Parameters;
  /** Those of the query of which each request has one, and one alone. */
  readonly exactlyOneOf?: readonly [string, string, ...string[]];
  /** Those that do not follow from the rest: see `problemsOf`. */
  readonly problems?: readonly ProblemCode[];
}

export interface Read extends Declared {
  readonly on: `GET /${string}`;
  /** What a key has to be good for. `public`: none is asked for. */
  readonly scope: Needed | 'public';
  /** Its answer is made once a state and sent with an entity tag. */
  readonly prepared?: true;
  /** An upgrade begins here, and its key may come with the first message. */
  readonly webSocket?: true;
  /** No operation of the API, but a page or a document about it: not in the OpenAPI document. */
  readonly hidden?: true;
  /** All paths below its own are its, too. */
  readonly folder?: true;
  /** Of its answer, where that is not JSON. */
  readonly mediaType?: string;
  /** Its answer goes on until the client leaves. */
  readonly endless?: true;
}

export interface Write extends Declared {
  readonly on: `POST /${string}` | `DELETE /${string}`;
  readonly scope: Exclude<Scope, 'read'>;
  /** The command to the game that it gives. */
  readonly game?: CommandName;
  /** What the log and the audit call it, once it is done. */
  readonly audit: string;
  /**
   * Its line in the audit is on the disk before anything is done. For those that change files of their own, or keep players out, which waits
   * for nothing that the database is asked for: a kill in between would hide who did it.
   */
  readonly notedFirst?: true;
}

/** One thing that the API can do. Every write may be sent again under an `Idempotency-Key`. */
export type Endpoint = Read | Write;

export type Endpoints = Readonly<Record<string, Endpoint>>;

export type Method = 'GET' | 'POST' | 'DELETE';

export function methodAndPath({ on }: Pick<Endpoint, 'on'>): {
  readonly method: Method;
  readonly path: string;
} {
  const [method, path] = on.split(' ') as [Method, string];
  return { method, path };
}

export function isWrite(endpoint: Endpoint): endpoint is Write {
  return !endpoint.on.startsWith('GET ');
}
