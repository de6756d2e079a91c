import { z } from 'zod';
import { ownershipFacts } from '../../game/operations/ownership-commands.ts';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { isConnected } from '../../game/state/link-state.ts';
import { knownFacts } from '../../ownership/known-facts.ts';
import type { FarmView } from '../../status/farm-view.ts';
import { exactId, exactIdText, withTwin } from './exact-id.ts';
import { snapshotVersion } from './status.ts';

const { owned, released } = ownershipFacts.shape;

/** Nothing is made up of owners either. */
const ownerKnown = (fact: typeof owned) =>
  fact.optional().meta({
    ...fact.meta(),
    description: `${fact.meta()?.description}. Absent where nobody can tell: the ownership map is not read, cannot be read, or was lost with this farmhand in it; and with GAME_BRIDGE=existing`,
  });

/** Not every server tells, and nothing is made up. */
const adminFact = z.boolean().optional().meta({ description: 'Absent with GAME_BRIDGE=existing' });

export const playersAnswer = z
  .object({
    players: z.array(
      z.object({
        id: exactId,
        idStr: exactIdText,
        name: z.string().meta({ description: 'Empty until it has come from the player' }),
        isOnline: z.boolean(),
        isAdmin: adminFact,
      }),
    ),
    version: snapshotVersion,
  })
  .meta({ id: 'Players' });

export function playersOf({
  sections,
  link,
  version,
  selfHosted,
}: BridgeState): z.infer<typeof playersAnswer> {
  const connected = isConnected(link.status) ? (sections.players ?? []) : [];
  return {
    players: connected.map(({ id, name, isAdmin }) => ({
      ...withTwin('id', id),
      name,
      isOnline: true,
      ...(selfHosted === undefined ? { isAdmin } : {}),
    })),
    version,
  };
}

export const farmhandsAnswer = z
  .object({
    farmhands: z.array(
      z.object({
        id: exactId,
        idStr: exactIdText,
        name: z.string().meta({ description: 'Empty for a slot that nobody has taken' }),
        isCustomized: z.boolean(),
        isOnline: z.boolean(),
        isAdmin: adminFact,
        ...ownershipFacts.partial().shape,
        owned: ownerKnown(owned),
        released: ownerKnown(released),
      }),
    ),
    version: snapshotVersion,
  })
  .meta({ id: 'Farmhands' });

export function farmhandsOf({ state, owners }: FarmView): z.infer<typeof farmhandsAnswer> {
  const { sections, link, version, selfHosted } = state;
  const connected = isConnected(link.status);
  const facts = knownFacts(owners, sections);
  return {
    farmhands: (sections.farmhands ?? []).map((slot) => ({
      ...withTwin('id', slot.id),
      name: slot.name,
      isCustomized: slot.isCustomized,
      isOnline: connected && slot.isOnline,
      ...(selfHosted === undefined ? { isAdmin: slot.isAdmin, ...facts(slot) } : {}),
    })),
    version,
  };
}
