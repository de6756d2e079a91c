import { accessSync, constants } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { auditWriter } from '../tables/audit.ts';
import {
  inOneTransaction,
  isOfTheDisk,
  openForWriting,
  sqliteCode,
  sqliteCodes,
} from '../tables/database.ts';
import { eventWriter } from '../tables/events.ts';
import { keepFact } from '../tables/facts.ts';
import { keyWriter } from '../tables/keys.ts';
import { operationWriter } from '../tables/operations.ts';
import { sampleWriter } from '../tables/samples.ts';
import { scheduleWriter } from '../tables/schedules.ts';
import { failureOf, type SqliteFailure } from '../tables/store-error.ts';
import { webhookWriter } from '../tables/webhooks.ts';
import type { Answer, ToWriter, Write, WriteAsked, WriterData } from './writer.ts';

/** The other side of Writer: its thread is the only one that writes to the database, and the only one that waits for its disk. */
export function serveWriter(port: MessagePort, { path, journal }: WriterData): void {
  const database = openForWriting(path, journal);
  const commit = committing(database, path);
  port.on('message', (first: ToWriter) => {
    const came = [first, ...waitingAt(port)];
    const asked = came.filter((each) => each !== 'close');
    if (asked.length > 0) port.postMessage(commit(asked));
    if (asked.length === came.length) return;
    // With it SQLite takes the journal into the file.
    database.close();
    port.close();
  });
}

/** Everything that has come while the last change was written: on a slow disk many then wait for one sync. */
function waitingAt(port: MessagePort): ToWriter[] {
  const found: ToWriter[] = [];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    found.push(next.message);
  return found;
}

function committing(database: DatabaseSync, path: string) {
  const applied = applying(database);
  return function commit(asked: readonly WriteAsked[]): readonly Answer[] {
    const isDurable = asked.some(({ durable }) => durable);
    try {
      database.exec(`pragma synchronous=${isDurable ? 'full' : 'normal'}`);
      return inOneTransaction(database, () => asked.map(({ id, write }) => ({ id, rows: applied(write) })));
    } catch (error) {
      // What one of them did wrong is none of the others' fault.
      if (asked.length > 1 && !isOfTheDisk(sqliteCode(error))) return asked.flatMap((each) => commit([each]));
      const failure = named(failureOf(error), path);
      return asked.map(({ id }) => ({ id, failure }));
    }
  };
}

/** A disk that was made read-only is an I/O error to SQLite, and another thing to whoever has to mend it. */
function named(failure: SqliteFailure, path: string): SqliteFailure {
  if (failure.code !== sqliteCodes.ioError) return failure;
  try {
    accessSync(path, constants.W_OK);
    return failure;
  } catch {
    return { ...failure, code: sqliteCodes.readOnly };
  }
}

/** How many rows it concerned. Each may be done again after it was done, as a thread that died may have done it. */
function applying(database: DatabaseSync): (write: Write) => number {
  const events = eventWriter(database);
  const operations = operationWriter(database);
  const samples = sampleWriter(database);
  const keys = keyWriter(database, operations);
  const audit = auditWriter(database);
  const webhooks = webhookWriter(database, operations);
  const schedules = scheduleWriter(database, operations);
  return (write) => {
    switch (write.kind) {
      case 'events':
        return events.keep(write);
      case 'forget-events':
        return events.forget(write);
      case 'operation':
        return operations.keep(write);
      case 'take-over-operations':
        return operations.takeOver(write);
      case 'forget-operations':
        return operations.forget(write);
      case 'sample':
        return samples.keep(write);
      case 'forget-samples':
        return samples.forget(write);
      case 'keys':
        return keys.keep(write);
      case 'keys-passed':
        return keys.pass(write);
      case 'keys-used':
        return keys.use(write);
      case 'audit-begin':
        return audit.begin(write);
      case 'audit':
        return audit.keep(write);
      case 'forget-audit':
        return audit.forget(write);
      case 'webhooks':
        return webhooks.keep(write);
      case 'webhooks-moved':
        return webhooks.move(write);
      case 'forget-deliveries':
        return webhooks.forget(write);
      case 'schedules':
        return schedules.keep(write);
      case 'schedules-moved':
        return schedules.move(write);
      case 'fact':
        keepFact(database, write);
        return 1;
    }
  };
}
