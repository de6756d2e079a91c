import type { ScheduleRun } from '@steward/shared/api/answers/schedules';
import type { EndpointId, endpoints } from '@steward/shared/api/endpoints';
import type { withoutTool } from './toolsets.ts';

type WriteId = {
  [Id in EndpointId]: (typeof endpoints)[Id] extends { readonly audit: string } ? Id : never;
}[EndpointId];

type DeedId = Exclude<WriteId, keyof typeof withoutTool>;

export interface Deed {
  /** It takes something away from somebody or puts another in its place: then the farm has to be named. */
  readonly isDestructive: boolean;
  /** Done again with the same arguments, it changes nothing more. */
  readonly isIdempotent: boolean;
  /** It may be answered while it goes on. */
  readonly mayGoOn?: true;
  /** Where it is answered alike however it ended: whether it was done, by the answer; null where nobody knows, undefined while it goes on. */
  readonly applied?: (answer: Readonly<Record<string, unknown>>) => boolean | null | undefined;
  /** Where its own operation does not show how it ends, what does. */
  readonly next?: string;
  /** It sends something to somebody who is no part of the farm. */
  readonly reachesOut?: true;
}

const adds = { isDestructive: false, isIdempotent: false } as const;
const sets = { isDestructive: false, isIdempotent: true } as const;
const replaces = { isDestructive: true, isIdempotent: true } as const;
const takesAway = { isDestructive: true, isIdempotent: false } as const;

const appliedByRun = { applied: true, failed: false, skipped: false, unknown: null } as const;

function isDone({ run }: { readonly run?: unknown }): boolean | null | undefined {
  const { outcome } = run as ScheduleRun;
  return outcome && appliedByRun[outcome];
}

/** What each change is like; a change without a row does not compile. */
const deeds: Readonly<Record<DeedId, Deed>> = {
  setRendering: sets,
  saveGame: sets,
  startDrain: { ...takesAway, mayGoOn: true },
  cancelDrain: sets,
  createFarm: { ...takesAway, mayGoOn: true },
  loadFarm: { ...replaces, mayGoOn: true },
  grantAdmin: replaces,
  announce: adds,
  kickPlayer: takesAway,
  addBan: replaces,
  removeBan: replaces,
  // From the first on nobody else comes in.
  allowPlayer: replaces,
  disallowPlayer: replaces,
  deleteFarmhand: { ...replaces, applied: ({ dryRun }) => dryRun !== true },
  rebindFarmhand: replaces,
  releaseFarmhand: replaces,
  changeSettings: replaces,
  setTime: sets,
  sendChat: adds,
  createBackup: { ...adds, mayGoOn: true },
  deleteBackup: replaces,
  restoreBackup: { ...takesAway, mayGoOn: true },
  // It may see players off, night after night.
  createSchedule: takesAway,
  deleteSchedule: replaces,
  runSchedule: { ...takesAway, applied: isDone, next: 'list_schedules shows in lastRun how it ends' },
  revokeKey: replaces,
  deleteWebhook: replaces,
  resumeWebhook: sets,
  testWebhook: {
    ...adds,
    reachesOut: true,
    applied: ({ test }) => (test as { readonly delivered: boolean }).delivered,
  },
};

/** What the operation is like; undefined where it changes nothing. */
export function deedOf(id: EndpointId): Deed | undefined {
  return (deeds as Readonly<Partial<Record<EndpointId, Deed>>>)[id];
}
