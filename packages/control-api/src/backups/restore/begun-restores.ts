import type { Log } from '@steward/service-kit/log/logger';
import type { EventOf, StewardEvent } from '@steward/shared/events/event-data';
import type { Events } from '../../game/state/event-log.ts';

export type Begun = Omit<EventOf<'backups.restoring'>['data'], 'step'>;

interface Parts {
  readonly bridge: { readonly events: Pick<Events<StewardEvent>, 'page'> };
  readonly log: Pick<Log, 'warn'>;
}

/** One that was cut off is among the newest: it tells of its few steps and of one backup, and no other runs beside it. */
const lookedThrough = 20;

/** Of which restores everybody was told that they have begun, by their operations: nothing else is known of one that was cut off early. */
export async function begunRestores({ bridge, log }: Parts): Promise<ReadonlyMap<string, Begun>> {
  try {
    const { events } = await bridge.events.page({ topics: ['backups'], limit: lookedThrough });
    return new Map(
      events.flatMap(({ event }) => {
        if (event.type !== 'backups.restoring') return [];
        const { step: _, ...begun } = event.data;
        return [[begun.operationId, begun] as const];
      }),
    );
  } catch (error) {
    log.warn({ err: error }, 'if a restore was cut off, nobody is told of its end');
    return new Map();
  }
}
