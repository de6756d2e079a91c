import { type Clock, systemClock } from '@steward/service-kit/clock';
import { Operations } from '../../../src/game/operations/operations.ts';
import { bridgeLimits } from '../../../src/game/state/limits.ts';
import { KeyRing } from '../../../src/keys/key-ring.ts';
import { openedStore } from '../../store/opened-store.ts';
import { borrowedThread } from '../../store/threads.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The keys of a STATE_DIR as a service has them, without a game or HTTP. */
export async function openedRing(
  directory: string,
  clock: Clock = systemClock,
  /** What happens while a change is on its way to the disk. */
  duringChange = () => {},
) {
  const { store } = openedStore(directory, { clock, startWriter: borrowedThread });
  const operations = new Operations({
    store: store.operations(),
    clock,
    limits: bridgeLimits,
    log,
    keepsJournal: false,
  });
  await operations.load();
  const kept = store.keys();
  const change = kept.change.bind(kept);
  kept.change = (...given) => {
    const written = change(...given);
    duringChange();
    return written;
  };
  const ring = new KeyRing({ kept, operations, clock, log, hasOwner: true });
  ring.load();
  return {
    ring,
    async [Symbol.asyncDispose]() {
      ring.stop();
      await operations.close();
      await store.close();
    },
  };
}
