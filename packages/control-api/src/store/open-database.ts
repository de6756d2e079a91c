import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@steward/service-kit/clock';
import type { Newer } from '@steward/service-kit/files/json-format';
import type { Log } from '@steward/service-kit/log/logger';
import type { SettledTime } from '@steward/service-kit/settled-time';
import { givenOutName, isAnother, noteGivenOut, noteLowered } from './given-out.ts';
import { type KeysLost, keysLostIn, LostKeys, noteKeysLost } from './kept/lost-keys.ts';
import { type LeftOperations, leftOperations } from './kept/operations.ts';
import { type PrepareParts, prepareDatabase, suspicionOf } from './prepare-database.ts';
import { AuditReader, keepInterrupted, numberAnew } from './tables/audit.ts';
import { isDamage, type Journal, openForReading, sqliteCode } from './tables/database.ts';
import { type Begun, beginEvents, type EventMark, EventReader, lastOfEvents } from './tables/events.ts';
import { type KeptKey, keptKeys } from './tables/keys.ts';
import { SampleReader } from './tables/samples.ts';
import { type KeptSchedule, keptSchedules } from './tables/schedules.ts';
import { failureOf, type StoreError, storeError } from './tables/store-error.ts';
import { type KeptWebhook, keptWebhooks, WebhookReader } from './tables/webhooks.ts';
import { type StartThread, Writer } from './writing/writer.ts';

export interface OpenParts {
  readonly path: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settled: SettledTime;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly newEpoch: () => string;
  /** How many events were told before the database could be opened: as many numbers become a gap. */
  readonly told: number;
  /** Told of each write that the disk did not take. */
  readonly failed: (error: StoreError) => void;
  readonly migrations?: PrepareParts['migrations'];
  readonly waitMs?: PrepareParts['waitMs'];
  readonly startWriter?: StartThread;
}

export interface Opened {
  readonly kind: 'opened';
  readonly reading: DatabaseSync;
  readonly events: EventReader;
  readonly samples: SampleReader;
  readonly audit: AuditReader;
  readonly webhooks: WebhookReader;
  readonly writer: Writer;
  readonly begun: Begun;
  readonly left: LeftOperations;
  readonly lostKeys: LostKeys | undefined;
  /** The keys that were kept, the oldest first. */
  readonly keys: readonly KeptKey[];
  /** The webhooks that were kept. */
  readonly hooks: readonly KeptWebhook[];
  readonly schedules: readonly KeptSchedule[];
  /** To be told of each mark of the log. */
  readonly marks: (mark: EventMark) => void;
  /** To be told of one that is lower than the last; whether it is on the disk. */
  readonly lowers: (mark: EventMark) => Promise<boolean>;
}

/**
 * Opens the database and sets numbers aside for what will happen; the thread that writes is not started. Damage that shows only when
 * it is used has the whole file looked through, so that a new one takes its place.
 */
export function openDatabase(parts: OpenParts): Opened | Newer {
  try {
    return opened(parts);
  } catch (error) {
    if (!isDamage(sqliteCode(error))) throw error;
    suspect(parts.path);
    return opened(parts);
  }
}

/** Has the next start look the whole file through. */
export function suspect(path: string): void {
  try {
    // Never into what somebody has put there, nor where a link of theirs leads.
    writeFileSync(suspicionOf(path), '', { flag: 'wx' });
  } catch {
    // The next start meets it again.
  }
}

function opened(parts: OpenParts): Opened | Newer {
  const { path, clock, settled, log, failed, migrations, waitMs, startWriter } = parts;
  const found = prepareDatabase({
    path,
    journal: parts.journal,
    now: () => clock.date(),
    waitMs,
    ...(migrations === undefined ? {} : { migrations }),
  });
  if (found.kind === 'newer') return found;
  const { database, journal, aside } = found;
  if (aside !== undefined) {
    const remedy = 'Replace it with a backup, or continue with the new one';
    log.error({ path, aside, remedy }, `${path} was damaged and is kept as ${aside}: a new one was created`);
  }
  let begun: Begun;
  let reading: DatabaseSync | undefined;
  let readers: Pick<Opened, 'events' | 'samples' | 'audit' | 'webhooks'>;
  let left: LeftOperations;
  let lost: KeysLost | undefined;
  let keys: readonly KeptKey[];
  let hooks: readonly KeptWebhook[];
  let schedules: readonly KeptSchedule[];
  try {
    begun = begin(parts, database, aside !== undefined);
    // Before the other closes: the last one to close takes the journal away.
    reading = openForReading(path);
    readers = {
      events: new EventReader(reading),
      samples: new SampleReader(reading),
      audit: new AuditReader(reading),
      webhooks: new WebhookReader(reading),
    };
    // Here, where damage that shows has another begun.
    left = leftOperations(reading);
    lost = keysLostIn(reading);
    keys = keptKeys(reading);
    hooks = keptWebhooks(reading);
    schedules = keptSchedules(reading);
  } catch (error) {
    reading?.close();
    throw error;
  } finally {
    database.close();
  }
  const thread = startWriter === undefined ? {} : { startThread: startWriter };
  const writer = new Writer({ path, journal, clock, log, failed, ...thread });
  const lostKeys = lost && new LostKeys(lost, { clock, settled, writer });
  const marks = (mark: EventMark) => noteGivenOut(givenOutIn(path), mark);
  const lowers = (mark: EventMark) => noteLowered(givenOutIn(path), mark);
  const kept = { keys, hooks, schedules };
  return { kind: 'opened', ...readers, ...kept, reading, writer, begun, left, lostKeys, marks, lowers };
}

/** Where nothing can be set aside, as on a full disk, numbers are given out under an epoch that nobody has seen. */
function begin(parts: OpenParts, database: DatabaseSync, wasDamaged: boolean): Begun {
  const { path, clock, log, newEpoch, told, failed } = parts;
  const place = lastOfEvents(database);
  const isOther = isAnother(givenOutIn(path), place);
  try {
    if (isOther || wasDamaged) {
      noteKeysLost(database, clock.date());
      numberAnew(database, clock.date());
    }
    const begun = beginEvents(database, newEpoch, { isAnother: isOther, told });
    const isNoted = noteGivenOut(givenOutIn(path), begun, true);
    keepInterrupted(database);
    if (isOther && !wasDamaged)
      log.warn(
        { path },
        `${path} is not the database that was here before: its data is unknown, and the event log starts a new range of cursors`,
      );
    if (!isNoted)
      log.warn(
        { path: givenOutIn(path), remedy: 'Make it writable for the user that the server runs as' },
        `${givenOutIn(path)} cannot be written: the next start may take the database for another one`,
      );
    return begun;
  } catch (error) {
    const failure = storeError(failureOf(error));
    // That keys are lost has to be known before any is taken.
    if (failure.failure !== 'unwritable' || isOther || wasDamaged) throw error;
    failed(failure);
    const { reserved, keptTo } = place;
    return { epoch: newEpoch(), last: reserved + told, keptTo, reserved: Number.POSITIVE_INFINITY };
  }
}

function givenOutIn(path: string): string {
  return join(dirname(path), givenOutName);
}
