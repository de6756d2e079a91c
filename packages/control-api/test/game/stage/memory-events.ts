import type { Clock } from '@steward/service-kit/clock';
import { keptEvents } from '../../../src/game/bridge-events.ts';
import type { EventLogLimits } from '../../../src/game/state/event-log.ts';
import { KeptEventLog } from '../../../src/store/kept/event-log.ts';

/** The log as it is where there is no database. */
export function memoryEvents(clock: Clock, { epoch = 'e1', limits }: MemoryEventsSettings = {}) {
  return new KeptEventLog({
    kind: keptEvents,
    clock,
    newEpoch: () => epoch,
    failed: () => {},
    ...(limits === undefined ? {} : { limits }),
  });
}

interface MemoryEventsSettings {
  readonly epoch?: string | undefined;
  readonly limits?: EventLogLimits | undefined;
}
