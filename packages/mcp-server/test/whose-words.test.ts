import { expect, it } from 'vitest';
import { isPlayerText } from '../src/answers/player-text.ts';
import { farmStage } from './stage/farm-stage.ts';

/** What answers have as any text at all, and not apart: the operator's words, Steward's own, or made by a rule. A new one is judged first. */
const notPlayers = `
  action activeLobbyLayout actor address adminPlatformIds backupId capabilities code command connectionId
  cron cursor detail farmId farmName farmTypeKey fields file from gameVersion gogInviteCode host id
  instance inviteCode keyId lostIfStoppedNow madeBy messageId network newGame note operationId path petName
  platform problem reads requestId restart rowId rule safetyBackupId scheduleId scheduleName secret
  serverVersion steamInviteCode step timeZone title to type urlEndsWith webhookId webhookName
  Backup.reason Backups.reason BansImported.reason Caller.name Delivery.reason Event.reason Event.remedy
  Event.version InviteCode.error InviteWayStep.reason InviteWayStep.remedy Key.name Obstacle.reason
  Obstacle.remedy Problem.error Schedule.name Schedule.reason Status.reason Status.remedy
  UnreadFile.reason UnreadFile.remedy Webhook.name WebhookStanding.name WebhookStanding.reason
  WebhookTest.reason
`;

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** What a text may not be that anybody can write anything into. */
const ruled = ['enum', 'const', 'pattern', 'format'] as const;

function isAnyText(schema: Schema): boolean {
  if (schema.items !== undefined) return isAnyText(schema.items);
  return schema.type === 'string' && ruled.every((rule) => !Object.hasOwn(schema, rule));
}

/** Which of these it is depends on where it stands. */
const judgedByPlace: ReadonlySet<string> = new Set(['name', 'reason', 'remedy', 'error', 'version']);

function* ownText(schema: Schema): Generator<string> {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  for (const [name, member] of Object.entries(properties)) {
    if (isPlayerText(name, properties)) continue;
    if (isAnyText(member)) yield name;
    yield* ownText(member);
  }
  for (const each of [items, additionalProperties, ...anyOf, ...oneOf, ...allOf])
    if (typeof each === 'object') yield* ownText(each);
}

it('whose words each text of an answer is was judged: what players may have written stands apart', async () => {
  await using stage = await farmStage();
  const { components } = stage.api.document as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const names = Object.entries(components.schemas).flatMap(([of, schema]) =>
    [...ownText(schema)].map((name) => (judgedByPlace.has(name) ? `${of}.${name}` : name)),
  );
  expect([...new Set(names)].toSorted()).toEqual(notPlayers.split(/\s+/).filter(Boolean).toSorted());
});
