import { z } from 'zod';
import { saveGeneration } from '../../bridge/hello.ts';
import { bridgeTiming, linkStatus } from '../../bridge/protocol.ts';
import { renderingSection, statsSection, statusSection } from '../../bridge/state.ts';
import { troubleShape } from '../../problems/trouble.ts';
import { gameUpdateState } from '../../sidecar/download.ts';
import { timestamp } from '../../wire-values.ts';
import { serverEndpoints } from '../endpoints/server.ts';
import { draining } from './drain.ts';
import { type Answers, changed, changeOf, snapshotVersion } from './parts.ts';
import { inviteWay, obstacle, readiness } from './readiness.ts';

const health = z
  .object({
    status: z
      .enum(['ok', 'degraded'])
      .meta({ description: 'degraded: the process answers, but the game does not tick' }),
    timestamp,
    lastTickMs: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Since the game's last tick; absent before the first" }),
    pendingActions: z.int().min(0),
    gameAvailable: z.boolean().optional().meta({ description: 'Players can join; absent while unknown' }),
    tickCount: z.int().min(0),
    game: z
      .object({ status: linkStatus, since: timestamp })
      .meta({ description: 'The state of the game, and since when' }),
    isFrozen: z
      .boolean()
      .meta({ description: `No tick yet, or none for ${bridgeTiming.frozen / 1_000} seconds` }),
  })
  .meta({ id: 'Health' });

const unreadFile = z
  .object({
    path: z.string(),
    ...troubleShape('Which version wrote it', 'What to do'),
  })
  .meta({ id: 'UnreadFile', description: 'A file that is left unchanged' });

export type UnreadFile = Readonly<z.infer<typeof unreadFile>>;

const status = statusSection
  .extend({
    steamInviteCode: z.string().optional().meta({ description: 'For players on the primary platform' }),
    gogInviteCode: z.string().optional().meta({ description: 'For players on the cross-platform network' }),
    lastUpdated: z
      .union([timestamp, z.literal('')])
      .meta({ description: 'When the game last sent something; empty before that' }),
    version: snapshotVersion,
    isJoinable: z.boolean().meta({ description: 'Players can join now' }),
    obstacles: z.array(obstacle).meta({ description: 'Why they cannot join, and other problems' }),
    inviteWay,
    instance: z.string().optional().meta({ description: 'INSTANCE_NAME, if it is set' }),
    emptySince: timestamp.optional().meta({
      description:
        'Since when nobody is online, also across restarts; absent while somebody is online or it is unknown',
    }),
    capabilities: z.array(z.string()).meta({
      description:
        'Commands and questions to the game that work now (`setTime`, `kick`, `farms`), and changes of bans, owners and settings that this service makes itself (`addBan`), by their names in operations. While a game is connected, a request for one that is missing is 501. Nothing else is listed, such as backups, keys and drains',
    }),
    draining: draining.optional().meta({
      description: 'A drain is running, or has stopped the game; absent otherwise',
    }),
    gameUpdate: z
      .object({
        state: gameUpdateState,
        since: timestamp,
        checkedAt: timestamp.optional().meta({ description: 'When the platform answered last' }),
        reason: z.string().optional(),
        remedy: z.string().optional(),
      })
      .optional()
      .meta({
        description:
          'Whether the platform has another build of the game than GAME_DIR, as the sidecar reports; absent without a sidecar, and while the files are incomplete',
      }),
    unreadFiles: z
      .array(unreadFile)
      .optional()
      .meta({ description: 'Files that a newer version wrote; absent if there are none' }),
  })
  .meta({ id: 'Status' });

const stats = statsSection
  .extend({
    uptimeSeconds: statsSection.shape.uptimeSeconds.optional(),
    startedAtUtc: timestamp
      .optional()
      .meta({ description: 'Absent before the game has reported its uptime' }),
  })
  .meta({ id: 'Stats' });

const { fps } = renderingSection.shape;

const describedGeneration = saveGeneration.meta({ description: 'How often the farm was saved' });

export const serverAnswers = {
  getHealth: { 200: health },
  getReadiness: { 200: readiness, 503: readiness },
  getStatus: { 200: status },
  getStats: { 200: stats },
  getRendering: { 200: renderingSection.meta({ id: 'Rendering' }) },
  setRendering: {
    200: z
      .object({ ...changed, fps, previousFps: fps, ...changeOf('setRenderRate') })
      .meta({ id: 'RenderingChanged' }),
  },
  saveGame: {
    200: z
      .object({ ...changed, saveGeneration: describedGeneration, ...changeOf('save') })
      .meta({ id: 'GameSaved' }),
  },
  getGameLog: {
    200: z
      .object({
        lines: z.array(
          z.object({
            at: timestamp,
            stream: z.enum(['stdout', 'stderr']).meta({
              description: 'stdout has what the game prints beside its messages to the bridge',
            }),
            text: z.string().meta({ description: "The game's own text" }),
          }),
        ),
      })
      .meta({ id: 'GameLog' }),
  },
  getScreenshot: {
    200: z.string().meta({
      description: 'A PNG, as bytes',
      format: 'binary',
      contentMediaType: serverEndpoints.getScreenshot.mediaType,
    }),
  },
  getMetrics: { 200: z.string().meta({ description: 'Prometheus text format' }) },
} satisfies Record<keyof typeof serverEndpoints, Answers>;
