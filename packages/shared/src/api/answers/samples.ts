import { z } from 'zod';
import { timestamp } from '../../wire-values.ts';
import { type sampleEndpoints, sampleStepNames } from '../endpoints/samples.ts';
import type { Answers } from './parts.ts';

/** One value a step; null where nothing is known. */
function values(description: string) {
  return z.array(z.number().min(0).nullable()).meta({ description });
}

const samples = z
  .object({
    from: timestamp.meta({ ...timestamp.meta(), description: 'Where the first step begins' }),
    step: z.enum(sampleStepNames),
    stepSeconds: z.int().min(1),
    players: values('Players online, on average'),
    mostPlayers: values('The most players that were online'),
    ticksPerSecond: values('Tick rate of the game while there was one, as it was counted'),
    tickGapMs: values(
      'The longest time without a sign of life from the game, which says that it ticks at least once a second; null for one behind GAME_BRIDGE=existing',
    ),
    bridgeLatencyMs: values(
      'The longest that a command waited until the game came to it, or, behind GAME_BRIDGE=existing, a request until that server answered; null where there was none',
    ),
    serviceMemoryMb: values('The most memory that the control API took'),
    gameMemoryMb: values('The most memory that the game said it took'),
  })
  .meta({ id: 'Samples' });

export const sampleAnswers = {
  getSamples: { 200: samples },
} satisfies Record<keyof typeof sampleEndpoints, Answers>;
