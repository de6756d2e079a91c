import { z } from 'zod';
import { receipt } from '../../chat/receipt.ts';
import { exactId, exactIdText } from '../../exact-id.ts';
import { int64Text, timestamp, uint64Text } from '../../wire-values.ts';
import type { moderationEndpoints } from '../endpoints/moderation.ts';
import { moderationLists } from '../moderation-parameters.ts';
import { type Answers, changed, changeOf, subject } from './parts.ts';

/** One row of a list, as it is kept: ids are digits. */
export const listRow = z.object({
  id: z.string().meta({ examples: ['row_5b1f0c9a7d24'] }),
  playerId: int64Text.optional().meta({ description: 'For a player: the farmhand' }),
  playerName: z.string().optional(),
  identities: z.array(uint64Text).optional().meta({
    description:
      'For a player: the identities that were known each time the player was listed; absent if they were unknown, and the farmhand’s owner is meant',
  }),
  identity: uint64Text.optional().meta({ description: 'For an identity: its digits' }),
  address: z.string().optional().meta({ description: 'For an address or a network' }),
  reason: z.string().optional().meta({ description: 'Shown to the player' }),
  until: timestamp.optional().meta({ description: 'Absent if it never ends by itself' }),
  createdAt: timestamp.optional().meta({ description: 'Absent if somebody wrote it into the file' }),
});

export type ListRow = Readonly<z.infer<typeof listRow>>;

const shownRow = listRow
  .omit({ playerId: true })
  .extend({ playerId: exactId.optional(), playerIdStr: exactIdText.optional() })
  .meta({ id: 'ModerationRow', description: 'What it applies to: a player, an identity or an address' });

const allowedRow = shownRow
  .extend({ isOver: z.literal(true).optional().meta({ description: 'It has ended: it lets nobody in' }) })
  .meta({ id: 'AllowlistRow' });

const rowChanged = { ...changed, row: shownRow };

const { truncated, length } = receipt;

export const moderationAnswers = {
  announce: {
    200: z.object({ ...changed, truncated, length }).meta({ id: 'Announced' }),
  },
  kickPlayer: {
    200: z.object({ ...changed, ...subject, ...changeOf('kick') }).meta({ id: 'PlayerKicked' }),
  },
  listBans: { 200: z.object({ bans: z.array(shownRow) }).meta({ id: 'Bans' }) },
  addBan: {
    200: z
      .object({
        ...rowChanged,
        kicked: z
          .array(z.object({ playerId: exactId, playerIdStr: exactIdText, playerName: z.string() }))
          .meta({ description: 'Players who were kicked' }),
        stillOnline: z
          .array(
            z.object({
              playerId: exactId,
              playerIdStr: exactIdText,
              playerName: z.string(),
              reason: z.string(),
            }),
          )
          .meta({ description: 'Players who are still online, and why; Steward tries again' }),
      })
      .meta({ id: 'PlayerBanned' }),
  },
  removeBan: { 200: z.object(rowChanged).meta({ id: 'BanLifted' }) },
  importBans: {
    200: z
      .object({
        ...changed,
        operationId: changed.operationId.optional().meta({ description: 'Absent in a dry run' }),
        dryRun: z.boolean(),
        list: z.enum(moderationLists),
        added: z.int().min(0),
        alreadyThere: z.int().min(0),
        over: z.int().min(0).meta({ description: 'Left out, because they have ended' }),
        refused: z
          .array(
            z.object({ row: z.int().min(0).meta({ description: 'Counted from 0' }), reason: z.string() }),
          )
          .meta({ description: 'Left out, with the reason' }),
      })
      .meta({ id: 'BansImported' }),
  },
  listAllowed: {
    200: z
      .object({
        isOn: z.boolean().meta({ description: 'Whether only players on the list can join' }),
        allowlist: z.array(allowedRow),
      })
      .meta({ id: 'Allowlist' }),
  },
  allowPlayer: { 200: z.object(rowChanged).meta({ id: 'PlayerAllowed' }) },
  disallowPlayer: { 200: z.object(rowChanged).meta({ id: 'PlayerDisallowed' }) },
} satisfies Record<keyof typeof moderationEndpoints, Answers>;
