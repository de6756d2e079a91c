import type { HttpServer } from '@steward/service-kit/http/http-server';
import { serverSettings } from '@steward/shared/bridge/settings';
import { Problem } from '@steward/shared/problems/problem';
import { z } from 'zod';
import { isConnected } from '../../game/state/link-state.ts';
import { changeSettings } from '../../settings/change.ts';
import { SettingsFileError, SettingsNotApplied } from '../../settings/change-errors.ts';
import { preparedFrom, sendJson, sendPrepared } from '../bodies/prepared-answer.ts';
import { settingsAnswer, settingsOf, settingsThere, waitingOf, waitingSettings } from '../bodies/settings.ts';
import { snapshotAgeMs } from '../bodies/snapshot-age.ts';
import { changed } from '../commands/changed.ts';
import { idempotencyHeader, idempotencyKey } from '../commands/idempotency-key.ts';
import { problemOf, refuseWhereTheirs } from '../commands/run-command.ts';
import { commandProblems, parameterProblems, routeSchema } from '../openapi/route-schema.ts';
import type { RouteParts } from './parts.ts';
import { changesOf, settingsParameters } from './settings-parameters.ts';

const nothingNamed = new Problem(
  'missing-parameter',
  `Name at least one setting: ${Object.keys(settingsParameters.shape).join(', ')}`,
);

const someSettings = serverSettings.partial();

/** The routes of the group Settings. */
export function settingsRoutes(server: HttpServer, parts: RouteParts): void {
  const { bridge, settings, logger, clock } = parts;
  const current = preparedFrom(
    () => bridge.state.selfHosted ?? settings.view,
    (shown) => ('effective' in shown ? settingsOf(shown) : settingsThere(shown)),
  );

  server.get(
    '/settings',
    {
      schema: routeSchema({
        operationId: 'getSettings',
        summary: 'The effective settings, and which are not in effect yet',
        tag: 'Settings',
        isPrepared: true,
        answers: { 200: settingsAnswer },
      }),
    },
    (request, reply) => {
      // Ours are as they are now; another server's are as it last told them.
      const isTheirs = bridge.state.selfHosted !== undefined;
      sendPrepared(
        request,
        reply,
        current(),
        isTheirs ? snapshotAgeMs(bridge, ['settings'], clock) : undefined,
      );
    },
  );

  server.post(
    '/settings',
    {
      schema: {
        ...routeSchema({
          operationId: 'changeSettings',
          summary: "Change values of the settings file's server section",
          description:
            'Those named are changed; comments, unknown keys and everything else in the file stay as they are, and the file as it was is kept beside it. It works without a game, too, which hears of it when it connects.',
          tag: 'Settings',
          answers: {
            200: z
              .object({
                ...changed,
                before: someSettings.meta({ description: 'The named settings, as they were' }),
                after: someSettings.meta({ description: 'The named settings, as they are' }),
                waiting: waitingSettings,
              })
              .meta({ id: 'SettingsChanged' }),
          },
          problems: [...parameterProblems, 'settings-unreadable', 'settings-unwritable', ...commandProblems],
        }),
        headers: idempotencyHeader,
        querystring: settingsParameters,
      },
    },
    async ({ query, headers, id }, reply) => {
      const changes = changesOf(query);
      if (Object.keys(changes).length === 0) throw nothingNamed;
      refuseWhereTheirs(bridge.state, 'applySettings');
      const { before, after, operationId } = await changeSettings(
        parts,
        changes,
        idempotencyKey(headers),
      ).catch((error) => {
        throw toldOf(error);
      });
      logger.info({ requestId: id, settings: Object.keys(changes) }, 'settings changed');
      const waiting = waitingOf(settings.view);
      const message = messageOf(isConnected(bridge.state.link.status), waiting.restart);
      sendJson(reply, { success: true, message, operationId, before, after, waiting });
      return reply;
    },
  );
}

function messageOf(isHeard: boolean, restart: readonly string[]): string {
  if (!isHeard) return 'Written; the game hears of it when it connects';
  if (restart.length === 0) return 'Written, and in effect';
  return `Written; ${restart.join(', ')} waits for a restart of the game`;
}

/** Why a change was not made, as its answer says it. */
function toldOf(error: unknown): unknown {
  if (error instanceof SettingsNotApplied) return problemOf(error.result);
  if (!(error instanceof SettingsFileError)) return error;
  const { code, message, operationId } = error;
  return new Problem(code, message, operationId === undefined ? {} : { operationId });
}
