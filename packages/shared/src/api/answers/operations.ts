import { z } from 'zod';
import { type CommandName, commands, isCommandName } from '../../bridge/commands.ts';
import { namedPlayer } from '../../bridge/outcome.ts';
import { exactId, exactIdText } from '../../exact-id.ts';
import { withoutIdentities } from '../../identities.ts';
import { isGoodFor, type Scope } from '../../scopes.ts';
import { timestamp } from '../../wire-values.ts';
import type { operationEndpoints } from '../endpoints/operations.ts';
import { ownershipFacts } from './farmhands.ts';
import type { Answers } from './parts.ts';

/** What the service does to a farm itself, beside what it has the game do. */
export const ownerCommandNames = ['rebindFarmhand', 'releaseFarmhand'] as const;

/** What is done to keys, which no farm knows of. */
const keyCommandNames = ['createKey', 'revokeKey', 'rotateKey'] as const;

/** What is done to webhooks, and with them. */
const webhookCommandNames = ['createWebhook', 'deleteWebhook', 'resumeWebhook', 'testWebhook'] as const;

/** What is done with backups. */
const backupCommandNames = ['createBackup', 'deleteBackup', 'restoreBackup'] as const;

/** What sees players off, and lets them in again. */
const drainCommandNames = ['drain', 'endDrain'] as const;

/** What puts another farm in the place of the one that is played. */
export const farmCommandNames = ['createFarm', 'changeFarm'] as const;

/** What puts a newer build of the game in the place of the one that is played. */
const updateCommandNames = ['updateGame'] as const;

/** How an update ended, as the operation that it is shows it. */
export interface GameUpdated {
  /** Whether there was anything new; where not, nobody was seen off. */
  readonly isUpdated: boolean;
  readonly isSaved?: boolean;
  /** Whether the game was started again, and has come. */
  readonly isBack?: boolean;
  readonly backupId?: string;
}

/** What is done to schedules, and by hand with them. */
const scheduleCommandNames = ['createSchedule', 'deleteSchedule', 'runSchedule'] as const;
/** What is done to the lists of who may come in. */
export const moderationCommandNames = [
  'addBan',
  'removeBan',
  'allowPlayer',
  'disallowPlayer',
  'importBans',
] as const;

/** Everything that can be an operation. */
export const operationCommand = z.enum([
  ...(Object.keys(commands) as [CommandName, ...CommandName[]]),
  ...ownerCommandNames,
  ...keyCommandNames,
  ...webhookCommandNames,
  ...backupCommandNames,
  ...drainCommandNames,
  ...farmCommandNames,
  ...updateCommandNames,
  ...scheduleCommandNames,
  ...moderationCommandNames,
]);

/**
 * `pending`: sent, not claimed. `claimed`: the game may be applying it. `unknown`: claimed, and the game has not said
 * how it ended. The others are final; `void` means that it was not applied and never will be.
 */
export const operationState = z.enum(['pending', 'claimed', 'unknown', 'applied', 'refused', 'void']);

const facts = z.record(z.string(), z.unknown()).meta({
  description:
    'Without platform and network identities if the key lacks the scope moderate; nothing about keys and webhooks if it lacks admin',
});

type Facts = z.infer<typeof facts>;

/** What a key has to be good for that is shown all of `before` and `after`, and what the others are shown. */
interface Shown {
  readonly whole: Scope;
  readonly others: z.ZodType;
}

const farmhandShown: Shown = { whole: 'moderate', others: ownershipFacts };
const moderatorsShown: Shown = { whole: 'moderate', others: z.object({}) };
const readersShown: Shown = { whole: 'read', others: z.object({}) };
const operatorsShown: Shown = { whole: 'operate', others: z.object({}) };
const adminsShown: Shown = { whole: 'admin', others: z.object({}) };

type LocalCommandName =
  | (typeof ownerCommandNames)[number]
  | (typeof keyCommandNames)[number]
  | (typeof webhookCommandNames)[number]
  | (typeof backupCommandNames)[number]
  | (typeof drainCommandNames)[number]
  | (typeof farmCommandNames)[number]
  | (typeof updateCommandNames)[number]
  | (typeof scheduleCommandNames)[number]
  | (typeof moderationCommandNames)[number];

const localShown: Readonly<Record<LocalCommandName, Shown>> = {
  rebindFarmhand: farmhandShown,
  releaseFarmhand: farmhandShown,
  createKey: adminsShown,
  revokeKey: adminsShown,
  rotateKey: adminsShown,
  createWebhook: adminsShown,
  deleteWebhook: adminsShown,
  resumeWebhook: adminsShown,
  testWebhook: adminsShown,
  createBackup: readersShown,
  deleteBackup: readersShown,
  restoreBackup: readersShown,
  drain: readersShown,
  endDrain: readersShown,
  createFarm: readersShown,
  changeFarm: readersShown,
  updateGame: readersShown,
  createSchedule: operatorsShown,
  deleteSchedule: operatorsShown,
  runSchedule: operatorsShown,
  addBan: moderatorsShown,
  removeBan: moderatorsShown,
  allowPlayer: moderatorsShown,
  disallowPlayer: moderatorsShown,
  importBans: moderatorsShown,
};

/** Whether whoever may read is told on whom it was done, and why it ended so; of what is an admin's alone, only how. */
export function isForReaders(command: z.infer<typeof operationCommand>): boolean {
  return isCommandName(command) || localShown[command].whole !== 'admin';
}

/** What who has these scopes is shown of `before` or `after`. */
export function factsFor(
  granted: ReadonlySet<Scope>,
  command: z.infer<typeof operationCommand>,
  given: Facts,
): Facts {
  const { whole, others }: Shown = isCommandName(command)
    ? { whole: 'moderate', others: commands[command].change }
    : localShown[command];
  return isGoodFor(granted, whole) ? given : (withoutIdentities(others, given) as Facts);
}

const operation = z
  .object({
    operationId: z.string(),
    command: operationCommand,
    state: operationState.meta({
      description:
        'pending and claimed: in progress; unknown: the game accepted it, and the outcome is not known yet; applied, refused, void: final',
    }),
    createdAt: timestamp,
    changedAt: timestamp,
    why: z.string().optional(),
    step: z.string().optional().meta({ description: 'The current or last step, if it has steps' }),
    forGood: z
      .literal(true)
      .optional()
      .meta({ description: 'For an unknown outcome: it will never be known' }),
    subject: namedPlayer.extend({ id: exactId, idStr: exactIdText }).optional(),
    before: facts.optional(),
    after: facts.optional(),
    refusal: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'Operation', description: 'How one requested change ended' });

export const operationAnswers = {
  listOperations: { 200: z.object({ operations: z.array(operation) }).meta({ id: 'Operations' }) },
  getOperation: { 200: operation },
} satisfies Record<keyof typeof operationEndpoints, Answers>;
