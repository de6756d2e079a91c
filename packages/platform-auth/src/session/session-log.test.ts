import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import { createLogger } from '@steward/service-kit/log/logger';
import { systemError } from '@steward/testing/system-error';
import { expect, it } from 'vitest';
import { SessionLog } from './session-log.ts';

it('tells once for each reason that a session could not be saved, and again after one was', () => {
  const lines = new PassThrough();
  const log = new SessionLog(createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, lines));
  const { EBUSY, ENOSPC } = constants.errno;
  for (const errno of [EBUSY, EBUSY, ENOSPC, ENOSPC]) log.notSaved(systemError(errno, 'rename'));
  log.saved();
  log.notSaved(systemError(ENOSPC, 'rename'));
  const written = String(lines.read()).trimEnd().split('\n');
  expect(written.map((line) => /\((E\w+)\)/.exec(line)?.[1])).toEqual(['EBUSY', 'ENOSPC', 'ENOSPC']);
  expect(log.warnings).toEqual([expect.stringContaining('(ENOSPC)')]);
});
