import { z } from 'zod';
import { farmIdentity } from '../hello.ts';
import { cabinsSection } from './cabins.ts';
import { networksSection } from './networks.ts';
import { farmhandsSection, playersSection } from './people.ts';
import { renderingSection, statsSection, statusSection } from './status.ts';

/** Everything that reads are answered from. A section always travels whole. */
export const wholeState = z.object({
  farm: farmIdentity.nullable().meta({ description: 'null while no farm is loaded' }),
  status: statusSection,
  players: playersSection,
  farmhands: farmhandsSection,
  cabins: cabinsSection,
  rendering: renderingSection,
  stats: statsSection,
  networks: networksSection,
});

/** The `state` notification: after `hello` all of them, later those that changed. */
export const stateParams = wholeState.partial();

export type WholeState = z.infer<typeof wholeState>;
export type StateParams = z.infer<typeof stateParams>;
export type SectionName = keyof WholeState;

export const sectionNames = Object.keys(wholeState.shape) as SectionName[];

/** The `tick` notification, sent from the game's loop itself so that a frozen loop is silent. */
export const tickParams = z.object({ count: z.int().min(0) });
