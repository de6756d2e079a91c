import { z } from 'zod';
import { int64Text, uint64Text } from '../../ids/id-text.ts';

/** A connected player. The name may be empty until it has come from the client. */
const connectedPlayer = z.object({
  id: int64Text,
  name: z.string(),
  connectionId: z.string().max(200),
  isAdmin: z.boolean(),
});

export const playersSection = z.array(connectedPlayer);

/** A character slot, used or fresh. */
export const farmhandSlot = z.object({
  id: int64Text,
  name: z.string().meta({ description: 'Empty until it is customised' }),
  isCustomized: z.boolean(),
  isOnline: z.boolean(),
  isAdmin: z.boolean(),
  stamp: uint64Text
    .optional()
    .meta({ description: 'The user id that a client once declared for this slot, in network-id space' }),
});

export const farmhandsSection = z.array(farmhandSlot);

export type FarmhandSlot = z.infer<typeof farmhandSlot>;
