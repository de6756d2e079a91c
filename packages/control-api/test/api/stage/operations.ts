import { answers } from '@steward/shared/api/answers';
import type { EndpointId } from '@steward/shared/api/endpoints';
import { returnMs } from '../../../src/game/awaited.ts';
import type { ApiDocument } from './documented-answers.ts';
import { type StageOptions, testKey } from './open-api.ts';

export type DocumentedMethod = 'GET' | 'POST' | 'DELETE';

export interface DocumentedOperation {
  readonly method: DocumentedMethod;
  readonly path: string;
  readonly operationId: string;
  readonly isPublic: boolean;
  readonly statuses: readonly number[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: ParameterSchema }[];
}

export interface ParameterSchema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface Written {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: ParameterSchema }[];
}

/** Ids say that they are, and texts as well: whoever cannot hold the integer sends its digits. */
export function takesInteger({ type, pattern = '' }: ParameterSchema): boolean {
  return [type].flat().includes('integer') || pattern.startsWith('^[0-9]');
}

/** Every operation that the document has. */
export function operationsOf(document: ApiDocument): readonly DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Written>).map(([method, operation]) => ({
      method: method.toUpperCase() as DocumentedMethod,
      path,
      operationId: operation.operationId,
      isPublic: operation.security?.length === 0,
      statuses: Object.keys(operation.responses).map(Number),
      parameters: (operation.parameters ?? []).map(({ required = false, schema = {}, ...rest }) => ({
        ...rest,
        required,
        schema,
      })),
    })),
  );
}

/** The backup that lies there for those who ask about one. */
export const leftBackup = '20261120T220000Z-3f9a7c';

/** The path of an operation, of something that is there where it can be. */
export function pathOf(
  { operationId, path }: Pick<DocumentedOperation, 'operationId' | 'path'>,
  id = '123',
): string {
  return path.replace('{id}', operationId === 'getBackupFile' ? leftBackup : id);
}

/**
 * What the queries need: a server that has a key, and another one, a webhook, a schedule and a backup; and a game that saves although
 * somebody plays, as what is shown of a farm shows somebody.
 */
export const keysForQueries = {
  fault: 'saves-while-played',
  key: testKey,
  leftKeys: [{ name: 'bot', scopes: ['chat'] }],
  leftWebhooks: [{ id: 'hook_9c2e41d07ab3', name: 'friends' }],
  leftSchedules: [{ id: 'schedule_9c2e41d07ab3', name: 'hourly' }],
  leftBackups: [{ id: leftBackup }],
  leftLists: {
    bans: [{ id: 'row_9c2e41d07ab3', identity: '5' }],
    allowlist: [{ id: 'row_0f343b093112', playerId: '42', playerName: 'Kim' }],
  },
} as const;

/** What an operation needs there to be beside it: a drain to end; no game for a while, as under one that somebody else has started none is restored. */
export function stageOf(operationId: string): StageOptions {
  return {
    ...keysForQueries,
    ...(operationId === 'restoreBackup' ? { game: false, aloneMs: returnMs } : {}),
    ...(operationId === 'cancelDrain'
      ? { leftDrain: { when: 'day-end', restart: true, minutes: 30, seconds: 60 } }
      : {}),
  };
}

/** What is answered as soon as it has begun. */
export function goesOn(id: string): boolean {
  return !(200 in answers[id as EndpointId]);
}

/** A query that succeeds, for each operation that needs more than its path; the document shows what it answers. */
export const goodQueries: Readonly<Record<string, string>> = {
  setRendering: '?fps=5',
  startDrain: '?when=now&seconds=0',
  setTime: '?value=1200',
  grantAdmin: '?name=Bob',
  deleteFarmhand: '?name=Bob',
  announce: '?message=The+server+restarts+in+ten+minutes',
  kickPlayer: '?name=Ann&reason=Take+a+break',
  addBan: '?identity=46265193014&reason=Griefing&until=30d',
  removeBan: '?identity=5',
  importBans: `?rows=${encodeURIComponent('[{"address":"198.51.100.7","reason":"Griefing"}]')}`,
  allowPlayer: '?name=Bob',
  disallowPlayer: '?name=Kim',
  rebindFarmhand: '?name=Bob&identity=46265193014',
  releaseFarmhand: '?name=Bob',
  changeSettings: '?maxPlayers=8&cabinStrategy=None',
  getAudit: '?limit=2',
  getEvents: '?limit=2',
  getSamples: '?from=2026-11-20T23:57:00Z&to=2026-11-21T00:00:00Z',
  listOperations: '?limit=2',
  sendChat: '?author=Robin&message=hello',
  createKey: '?name=status+page&scopes=read',
  revokeKey: '?name=bot',
  rotateKey: '?name=bot',
  createWebhook: '?url=https://hooks.example/3f9a7c&name=our+channel&topics=players,invites',
  deleteWebhook: '?name=friends',
  resumeWebhook: '?name=friends',
  testWebhook: '?name=friends',
  createSchedule: '?name=nightly&action=rendering&cron=0+5+*+*+*&timeZone=Europe/Berlin&fps=5',
  deleteSchedule: '?name=hourly',
  runSchedule: '?name=hourly',
  createBackup: '?note=before+the+new+mods',
  deleteBackup: `?id=${leftBackup}`,
  restoreBackup: `?id=${leftBackup}`,
  createFarm: '?farmName=Riverbend&seconds=0',
  loadFarm: '?id=Sunnybrook_398472611&seconds=0',
};
