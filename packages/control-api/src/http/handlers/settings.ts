import type { AnswerOf } from '@steward/shared/api/answers';
import { settingsAnswers } from '@steward/shared/api/answers/settings';
import { settingsEndpoints } from '@steward/shared/api/endpoints/settings';
import { withoutIdentities } from '@steward/shared/identities';
import { Problem } from '@steward/shared/problems/problem';
import { differing } from '../../game/differing-settings.ts';
import { isConnected, type SelfHosted } from '../../game/state/bridge-state.ts';
import { may } from '../../keys/caller.ts';
import { changeSettings, SettingsNotApplied } from '../../settings/change.ts';
import type { SettingsView } from '../../settings/settings.ts';
import { SettingsFileError } from '../../settings/settings-file.ts';
import { preparedFrom } from '../bodies/prepared-answer.ts';
import { snapshotAgeMs } from '../bodies/state-reads.ts';
import { problemOf, refuseWhereTheirs } from '../command-answers/command-problems.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

const nothingNamed = new Problem(
  'missing-parameter',
  `Name at least one setting: ${Object.keys(settingsEndpoints.changeSettings.query).join(', ')}`,
);

export function settingsHandlers(parts: HandlerParts): Handlers<keyof typeof settingsEndpoints> {
  const { bridge, settings, clock } = parts;
  const source = () => bridge.state.selfHosted ?? settings.view;
  const shown = (from: SelfHosted | SettingsView) =>
    'effective' in from ? settingsOf(from) : settingsThere(from);
  const whole = preparedFrom(source, shown);
  const forOthers = preparedFrom(source, (from) =>
    withoutIdentities(settingsAnswers.getSettings[200], shown(from)),
  );
  return {
    getSettings: {
      answer: (caller) => (may(caller, 'moderate') ? whole() : forOthers()),
      // Ours are as they are now; another server's are as it last told them.
      ageMs: () =>
        bridge.state.selfHosted === undefined ? undefined : snapshotAgeMs(bridge, ['settings'], clock),
    },
    async changeSettings({ query: changes, idempotencyKey }) {
      if (Object.keys(changes).length === 0) throw nothingNamed;
      refuseWhereTheirs(bridge.state, 'applySettings');
      const { before, after, operationId, late } = await changeSettings(parts, changes, idempotencyKey).catch(
        (error) => {
          throw refusalOf(error);
        },
      );
      const waiting = waitingOf(settings.view);
      if (late !== undefined) throw notConfirmed(operationId, late, waiting);
      const message = messageOf(isConnected(bridge.state.link.status), waiting.restart);
      return { success: true, message, operationId, before, after, waiting };
    },
  };
}

/** Another server's own, with nothing waiting that anybody here knows of. */
function settingsThere({ settings }: SelfHosted) {
  return { ...settings, waiting: { newGame: [], restart: [] } };
}

function settingsOf(view: SettingsView): AnswerOf<'getSettings'> {
  return {
    game: view.effective.game,
    server: view.effective.server,
    waiting: waitingOf(view),
    ...(view.unreadable === undefined
      ? {}
      : { problem: `The settings file cannot be read: ${view.unreadable}` }),
  };
}

function waitingOf({ effective, madeFrom, inGame }: SettingsView): AnswerOf<'getSettings'>['waiting'] {
  return {
    newGame: madeFrom === undefined ? [] : differing('game', effective.game, madeFrom),
    restart: inGame === undefined ? [] : differing('server', effective.server, inGame),
  };
}

function messageOf(isHeard: boolean, restart: readonly string[]): string {
  if (!isHeard) return 'Written; the game gets it when it connects';
  if (restart.length === 0) return 'Written, and in effect';
  return `Written; ${restart.join(', ')} waits for a restart of the game`;
}

function notConfirmed(operationId: string, why: string, waiting: object): Problem {
  return new Problem(
    'outcome-unknown',
    `The settings file has the change, and the game may have it: ${why}. \`waiting\`, here and in GET /settings, lists what the game has not confirmed`,
    { operationId, applied: null, waiting },
  );
}

/** Why a change was not made, as its answer says it. */
function refusalOf(error: unknown): unknown {
  if (error instanceof SettingsNotApplied) return problemOf(error.result);
  if (!(error instanceof SettingsFileError)) return error;
  const { code, message, operationId } = error;
  return new Problem(code, message, operationId === undefined ? {} : { operationId });
}
