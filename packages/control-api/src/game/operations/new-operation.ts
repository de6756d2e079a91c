import { timestampOf } from '@steward/shared/timestamp';
import { derivedCommandId, fingerprintOf, keyDigestOf } from './command-id.ts';
import type { Operation } from './operation.ts';
import type { OperationCommandName } from './operation-commands.ts';
import type { RunOptions } from './run-options.ts';

interface Beginning extends RunOptions {
  readonly command: OperationCommandName;
  readonly date: Date;
  /** The id of what was sent without a key. */
  readonly newId: () => string;
}

/** An operation of which nothing has happened yet. */
export function newOperation({
  command,
  request,
  idempotencyKey,
  settingsAsked,
  date,
  newId,
}: Beginning): Operation {
  const at = timestampOf(date);
  const fingerprint = fingerprintOf(request);
  const common = {
    ...({ command, state: 'pending', createdAt: at, changedAt: at, fingerprint } as const),
    ...(settingsAsked === undefined ? {} : { settingsAsked }),
  };
  if (idempotencyKey === undefined) return { ...common, id: newId() };
  const keyDigest = keyDigestOf(idempotencyKey);
  return { ...common, id: derivedCommandId(keyDigest, fingerprint, date), keyDigest };
}
