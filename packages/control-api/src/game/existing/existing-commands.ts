import type { Command } from '@steward/shared/bridge/commands';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { AskedName } from '@steward/shared/bridge/methods';
import type { CommandOutcome, RefusalCode } from '@steward/shared/bridge/outcome';
import type { StateParams } from '@steward/shared/bridge/state';
import type { ExistingWrite } from './existing-answers.ts';
import type { ExistingRequest } from './existing-client.ts';

/** What the existing server can be told to do over its API. */
export const existingCapabilities = [
  'setRenderRate',
  'setTime',
  'grantAdmin',
  'deleteFarmhand',
  'sendChat',
  'newFarm',
  'loadFarm',
] as const;

/** And what it can be asked. */
export const existingQuestions = ['farms', 'screenshot'] as const satisfies readonly AskedName[];

/** It has one farm at a time, and no id for it. */
export const existingFarmId = 'loaded';

export type ExistingCommand = Exclude<
  Extract<Command, { name: (typeof existingCapabilities)[number] }>,
  { name: 'sendChat' }
>;

export interface ExistingCall extends ExistingRequest {
  /** The outcome that a success means. */
  readonly applied: (answer: ExistingWrite) => CommandOutcome;
}

/** How a command is said there, or why it is not said at all. */
export function callOf(command: ExistingCommand, sections: StateParams): ExistingCall | CommandOutcome {
  switch (command.name) {
    case 'setRenderRate': {
      const { fps } = command.params;
      return {
        method: 'POST',
        path: '/rendering',
        query: { fps: String(fps) },
        applied: ({ previousFps = 0 }) => applied({ fps: previousFps }, { fps }),
      };
    }
    case 'setTime': {
      const { value } = command.params;
      const before = sections.status?.timeOfDay ?? 0;
      return {
        method: 'POST',
        path: '/time',
        query: { value: String(value) },
        applied: ({ timeOfDay = value }) => applied({ timeOfDay: before }, { timeOfDay }),
      };
    }
    case 'grantAdmin':
      // It does not tell who is one, so that nobody is until it was asked for.
      return toOne(
        command,
        sections,
        { method: 'POST', path: '/roles/admin' },
        { isAdmin: false },
        { isAdmin: true },
      );
    case 'deleteFarmhand':
      return toOne(
        command,
        sections,
        { method: 'DELETE', path: '/farmhands' },
        { exists: true },
        { exists: false },
      );
    case 'newFarm': {
      // The rest it takes from its own settings file.
      const { farmName, farmType, startingCabins, profitMargin } = command.params.game;
      const body = { farmName, farmType, startingCabins, profitMargin };
      return {
        method: 'POST',
        path: '/newgame',
        query: {},
        body,
        isLong: true,
        applied: () => applied({}, {}),
      };
    }
    case 'loadFarm':
      if (command.params.farmId !== existingFarmId)
        return {
          outcome: 'refused',
          code: 'not-found',
          message:
            'Over its API, the existing server can only reload its current farm: use `saves` in its console',
        };
      return {
        method: 'POST',
        path: '/reload',
        query: {},
        isLong: true,
        applied: () => applied({ farmId: existingFarmId }, { farmId: existingFarmId }),
      };
  }
}

/**
 * That server takes the first whom a name fits. Here a name is looked up first, so that it is the right one who is deleted, or
 * nobody.
 */
function toOne(
  { params: { target } }: Extract<ExistingCommand, { params: { target: unknown } }>,
  { farmhands = [] }: StateParams,
  call: Pick<ExistingCall, 'method' | 'path'>,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): ExistingCall | CommandOutcome {
  const matches = farmhandsMeant(farmhands, target);
  if (matches.length > 1)
    return {
      outcome: 'refused',
      code: 'ambiguous',
      message: `The name fits ${matches.length} players: use playerId`,
      matches: matches.map(({ id, name }) => ({ id, name })),
    };
  const [match] = matches;
  const query = queryFor(target, match?.id);
  return {
    ...call,
    query,
    applied: ({ playerId = match?.id, playerName = match?.name ?? '' }) => ({
      ...applied(before, after),
      ...(playerId === undefined ? {} : { subject: { id: playerId, name: playerName } }),
    }),
  };
}

function queryFor(
  target: { playerId: string } | { name: string },
  id: string | undefined,
): Record<string, string> {
  if (id !== undefined) return { playerId: id };
  return 'playerId' in target ? { playerId: target.playerId } : { name: target.name };
}

function applied(before: Record<string, unknown>, after: Record<string, unknown>) {
  return { outcome: 'applied' as const, before, after };
}

/** Whom it speaks of, as it was asked: a name may be a whole sentence of its own. */
const whom = "(?:id=-?[0-9]+|'.*')";

/** All that it says before it changes anything, by whole sentences: any other may be of an exception halfway. */
const refusals: readonly (readonly [sentence: RegExp, code: RefusalCode])[] = [
  [sentence(`(?:Farmhand|Player) ${whom} not found`), 'not-found'],
  [sentence(`Cannot delete farmhand ${whom} - currently online`), 'online'],
  [sentence('Cannot delete farmhand while save is in progress'), 'saving'],
  [sentence('Server not ready'), 'not-ready'],
  [sentence(String.raw`Value -?[0-9]+ out of range \([0-9]+-[0-9]+\)`), 'out-of-range'],
];

function sentence(words: string): RegExp {
  return new RegExp(`^${words}$`, 's');
}

/** Undefined where it does not say that nothing was changed. */
export function refusalOf(error: string): CommandOutcome | undefined {
  const code = refusals.find(([words]) => words.test(error))?.[1];
  return code === undefined ? undefined : { outcome: 'refused', code, message: error };
}
