import { z } from 'zod';
import type { BridgeState } from '../bridge/link/bridge-state.ts';
import { factsOf } from '../ownership/owner.ts';
import { ownershipFacts } from '../ownership/ownership-commands.ts';
import { isConnected } from '../readiness/connected.ts';
import { exactId, exactIdText, withTwin } from './exact-id.ts';
import type { FarmView } from './farm-view.ts';
import { snapshotVersion } from './status.ts';

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
      }),
    ),
    version: snapshotVersion,
  })
  .meta({ id: 'Farmhands' });

export function farmhandsOf({ state, owners }: FarmView): z.infer<typeof farmhandsAnswer> {
  const { sections, link, version, selfHosted } = state;
  const { map } = owners;
  const connected = isConnected(link.status);
  return {
    farmhands: (sections.farmhands ?? []).map(({ id, name, isCustomized, isOnline, isAdmin }) => ({
      ...withTwin('id', id),
      name,
      isCustomized,
      isOnline: connected && isOnline,
      ...(selfHosted === undefined ? { isAdmin, ...factsOf(map?.farmhands[id]) } : {}),
    })),
    version,
  };
}
