import { isDeepStrictEqual } from 'node:util';
import { type GameSettings, serverSettings } from '@steward/shared/bridge/settings';
import type { LateChange } from '../game/operations/late-settings.ts';
import type { SettingsFileChange } from '../game/operations/operation.ts';
import type { ServerChanges } from './edit.ts';
import type { PreparedChange } from './prepared-change.ts';

const changes = serverSettings.partial();

/** The owner of the file, as far as it is needed here. */
interface FileOwner {
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  prepare(changes: ServerChanges): Promise<PreparedChange>;
  write(change: PreparedChange): Promise<void>;
  toldLate(operationId: string, inGame: GameSettings['server']): void;
}

/** Writes what the game has applied after its caller was answered, but for what somebody has decided otherwise since. */
export function writeLate(settings: FileOwner, change: LateChange): Promise<SettingsFileChange> {
  return settings.exclusively(async () => {
    const { operationId, outcome } = change;
    const { before } = await settings.prepare({});
    const standing = stillMeant(change, before.server);
    const prepared = await settings.prepare(standing);
    if (Object.keys(standing).length > 0) await settings.write(prepared);
    const inGame = serverSettings.safeParse(outcome.after['server']);
    if (inGame.success) settings.toldLate(operationId, inGame.data);
    return { before: named(before.server, standing), after: standing };
  });
}

/** A later request decides, and so does the operator who has edited the file: to a value that nobody asked for here. */
function stillMeant({ asked, earlier, later }: LateChange, now: ServerChanges): ServerChanges {
  const present = new Map<string, unknown>(Object.entries(now));
  const meant = Object.entries(asked.after).filter(([name]) => {
    const ours = [asked.before[name], asked.after[name], ...earlier.map(({ after }) => after[name])];
    const isOvertaken = later.some(({ after }) => Object.hasOwn(after, name));
    return !isOvertaken && ours.some((value) => isDeepStrictEqual(value, present.get(name)));
  });
  return named(changes.parse(Object.fromEntries(meant)), asked.after);
}

/** Those of the settings that are changed. */
export function named(server: object, changed: object): ServerChanges {
  return Object.fromEntries(Object.entries(server).filter(([name]) => Object.hasOwn(changed, name)));
}
