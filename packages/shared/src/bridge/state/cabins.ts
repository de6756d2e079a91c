import { z } from 'zod';
import { int64Text } from '../../ids/id-text.ts';
import { cabinStrategy } from '../settings.ts';

export const cabin = z.object({
  tileX: z.int(),
  tileY: z.int(),
  isHidden: z.boolean(),
  type: z.enum(['Normal', 'CabinStack', 'FarmhouseStack', 'SharedLobby', 'IndividualLobby', 'Editing']),
  ownerId: int64Text.meta({ description: '"0" for a cabin without a slot' }),
  ownerName: z.string(),
  isAssigned: z.boolean().meta({ description: 'It has an owner who is customised' }),
});

export const cabinsSection = z.object({
  strategy: cabinStrategy,
  cabins: z.array(cabin),
  savedPositionPlayerIds: z.array(int64Text),
});
