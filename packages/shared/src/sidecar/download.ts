import { z } from 'zod';
import { troubleShape } from '../problems/trouble.ts';
import { timestamp, uint64Text } from '../wire-values.ts';

/** The game, as the platform numbers it: tickets and lobbies are for this app. */
export const gameAppId = 413_150;

/**
 * The file in GAME_DIR that is there only while the game's files are whole: the sidecar writes it, whoever starts the game waits for it.
 * The existing game container waits for one of this name as well.
 */
export const gameMarkerName = `.download-manifest-${gameAppId}`;

export const gameUpdateState = z.enum(['current', 'available', 'unknown']);

/** Whether the platform has another build than GAME_DIR: files that are whole may be those of an older one. */
export const gameUpdate = z
  .object({
    state: gameUpdateState.meta({
      description:
        'current: the platform had no other build when it was asked last; available: it has one; unknown: it could not be asked',
    }),
    since: timestamp.meta({ description: 'Since when that is known, or not known' }),
    checked_at: timestamp.optional().meta({ description: 'When the platform answered last' }),
    ...troubleShape('Why it is unknown, or what is available', 'What the operator can do about it'),
  })
  .partial({ reason: true, remedy: true });

export type GameUpdate = z.infer<typeof gameUpdate>;

const bytes = z.int().nonnegative();

const amount = z.object({ files: z.int().nonnegative(), bytes });

export const downloadState = z.enum(['whole', 'missing', 'downloading']);

/** The parts of a download, in their order. */
const downloadStage = z.enum([
  'locking',
  'recovering',
  'listing',
  'checking',
  'fetching',
  'finishing',
  'publishing',
]);

export type DownloadStage = z.infer<typeof downloadStage>;

const downloadPlan = z
  .object({
    kept: amount,
    stripped: amount,
    there: amount,
    to_write: amount,
    to_fetch: z.object({ chunks: z.int().nonnegative(), bytes, stored_bytes: bytes }),
    to_remove: z.int().nonnegative().meta({ description: 'Files of the version before' }),
  })
  .meta({ description: 'What is to be done; known before anything is fetched' });

const progress = z.object({
  stage: downloadStage,
  bytes_done: bytes.meta({ description: 'Of this stage' }),
  bytes_total: bytes.meta({ description: 'Of this stage; 0 where it has no measure' }),
  bytes_per_second: bytes,
  seconds_left: z.number().nonnegative().optional(),
  file: z.string().optional(),
  bytes_fetched: bytes.meta({ description: 'Since this download began' }),
  plan: downloadPlan.optional(),
});

const game = z.object({
  downloaded_at: timestamp,
  languages: z.array(z.string()),
  files: z.int().nonnegative(),
  bytes,
  apps: z.array(
    z.object({
      app_id: z.int(),
      depots: z.array(z.object({ depot_id: z.int(), manifest_id: uint64Text })),
    }),
  ),
});

export type GameBuild = z.infer<typeof game>;

/** What became of `POST /download`: a newer build beside the one that is played. */
const staging = z
  .object({
    state: z.enum(['under-way', 'nothing-new', 'staged', 'failed']).meta({
      description:
        'under-way: it is looked for, or fetched; nothing-new: GAME_DIR is as the platform has it; staged: `build` lies ready for POST /download/publish; failed: `reason` says why, and what was fetched is kept',
    }),
    since: timestamp,
    ...troubleShape('Why it failed', 'What the operator can do about it'),
    progress: progress.optional().meta({ description: 'Only while under way' }),
    build: game
      .optional()
      .meta({ description: 'Only while staged: what GAME_DIR holds once it is published' }),
  })
  .partial({ reason: true, remedy: true });

export type GameStaging = z.infer<typeof staging>;

/** The sidecar's `GET /download`: what a panel needs to draw a bar, and to say why there is none. */
export const downloadAnswer = z
  .object({
    state: downloadState.meta({
      description:
        'whole: the game can start, of whatever build it is; missing: it cannot, and nothing is under way; downloading: a download is under way, this service’s where there is `progress`, else that of the process which `reason` names',
    }),
    since: timestamp.meta({ description: 'When this service came to know it' }),
    ...troubleShape(
      'Why the files are missing still, or why those that are whole are not updated',
      'What the operator can do about it',
    ),
    next_retry: timestamp.optional().meta({ description: 'When the sidecar tries again by itself' }),
    progress: progress.optional().meta({ description: 'Only while downloading' }),
    game: game
      .optional()
      .meta({ description: 'Only while whole, and downloaded by this program: what is there' }),
    update: gameUpdate
      .optional()
      .meta({ description: 'Only while whole: whether the platform has another build' }),
    staging: staging
      .optional()
      .meta({ description: 'Only in the state whole, after POST /download: the state of the newer build' }),
  })
  .partial({ reason: true, remedy: true });

export type DownloadAnswer = z.infer<typeof downloadAnswer>;
