import { systemClock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import type { ExistingBridgeParts } from '../../../src/game/existing/existing-game-bridge.ts';
import { existingLimits } from '../../../src/game/existing/existing-limits.ts';
import { restartBackoff } from '../../../src/game/modes/spawn-mode.ts';
import { bridgeLimits } from '../../../src/game/state/limits.ts';
import { memoryEvents } from './memory-events.ts';
import { MemoryStore } from './memory-store.ts';
import { quiet } from './stage.ts';

/** The adapter's parts in front of a double, with what takes seconds there taking moments. */
export function existingParts(origin: string, key: string | undefined): ExistingBridgeParts {
  return {
    url: new URL(origin),
    key: key === undefined ? undefined : new Secret(key),
    store: new MemoryStore(),
    clock: systemClock,
    limits: { ...bridgeLimits, steadyMs: 50 },
    existingLimits: { ...existingLimits, healthMs: 20, slowReadMs: 20 },
    random: () => 0,
    backoff: { ...restartBackoff, firstMs: 10, longestMs: 20 },
    log: quiet,
    events: memoryEvents(systemClock),
  };
}
