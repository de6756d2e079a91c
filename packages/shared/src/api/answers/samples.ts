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
    from: timestamp.meta({ ...timestamp.meta(), description: 'Start of the first step' }),
    step: z.enum(sampleStepNames),
    stepSeconds: z.int().min(1),
    players: values('Players online, on average'),
    mostPlayers: values('The highest number of players online'),
    ticksPerSecond: values('Measured tick rate of the game, while there was one'),
    tickGapMs: values(
      'The longest time without a tick from the game, which ticks at least once a second; null with GAME_BRIDGE=existing',
    ),
    bridgeLatencyMs: values(
      'The longest time until the game started a command or, with GAME_BRIDGE=existing, until that server answered a request; null if there was none',
    ),
    serviceMemoryMb: values('The highest memory use of the control API'),
    gameMemoryMb: values('The highest memory use that the game reported'),
  })
  .meta({ id: 'Samples' });

export const sampleAnswers = {
  getSamples: { 200: samples },
} satisfies Record<keyof typeof sampleEndpoints, Answers>;
