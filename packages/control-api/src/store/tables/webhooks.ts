import type { DatabaseSync } from 'node:sqlite';
import type { DeliveryOutcome, WebhookTemplate } from '@steward/shared/api/webhook-parameters';
import type { Topic } from '@steward/shared/events/event-types';
import type { OperationWrite, operationWriter } from './operations.ts';

/** What a webhook is. The URL and what its messages are signed with lie here as they are: they are sent. */
export interface WebhookDefinition {
  readonly id: string;
  readonly name: string;
  readonly template: WebhookTemplate;
  readonly url: string;
  readonly secret: string | null;
  readonly topics: readonly Topic[];
  readonly identities: boolean;
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
}

/** How far it has come. Everything in the log up to its place was delivered or given up, or is no business of it. */
export interface WebhookProgress {
  readonly epoch: string;
  readonly number: number;
  /** Up to which cursor the events behind its place are gone, where that is what it has to be told next. */
  readonly gapTo: string | null;
  readonly state: 'active' | 'off';
  readonly since: number;
  readonly deliveredAt: number | null;
  /** Since when nothing that was tried was delivered, how often that was, and how often of what is next. */
  readonly failingSince: number | null;
  readonly failures: number;
  readonly tries: number;
  readonly reason: string | null;
  /** Until then nothing is tried. */
  readonly notBefore: number;
}

export interface KeptWebhook extends WebhookDefinition, WebhookProgress {}

/** A message that is not tried any more. */
export interface Delivery {
  readonly hook: string;
  readonly message: string;
  readonly type: string;
  readonly at: number;
  readonly outcome: DeliveryOutcome;
  readonly tries: number;
  readonly status: number | null;
  readonly reason: string | null;
}

export interface KeptDelivery extends Delivery {
  readonly number: number;
}

/** Webhooks as they are from now on, and the operation that it was: all or nothing. */
export interface WebhooksWrite {
  readonly kind: 'webhooks';
  readonly put: readonly KeptWebhook[];
  readonly forget: readonly string[];
  readonly operation: OperationWrite;
}

/** How far some have come, and what became of messages on the way. */
export interface WebhooksMoved {
  readonly kind: 'webhooks-moved';
  readonly moved: readonly ({ readonly id: string } & WebhookProgress)[];
  readonly deliveries: readonly Delivery[];
}

/** Takes away, of the oldest `most`, deliveries from before that time; as of the audit, what is of a clock that was behind stays. */
export interface ForgetDeliveries {
  readonly kind: 'forget-deliveries';
  readonly before: number;
  readonly most: number;
}

/** Of each webhook; a few hundred bytes each. */
const deliveriesKept: Readonly<Record<DeliveryOutcome, number>> = { delivered: 200, givenUp: 1_000 };

const progressColumns = [
  'epoch',
  'number',
  'gap_to',
  'state',
  'since',
  'delivered_at',
  'failing_since',
  'failures',
  'tries',
  'reason',
  'not_before',
] as const;

function progressValues(progress: WebhookProgress) {
  const {
    epoch,
    number,
    gapTo,
    state,
    since,
    deliveredAt,
    failingSince,
    failures,
    tries,
    reason,
    notBefore,
  } = progress;
  return [epoch, number, gapTo, state, since, deliveredAt, failingSince, failures, tries, reason, notBefore];
}

/** What writes webhooks; each may be done again after it was done. */
export function webhookWriter(
  database: DatabaseSync,
  operations: Pick<ReturnType<typeof operationWriter>, 'keep'>,
) {
  const put = database.prepare(
    `insert or replace into webhooks (id, name, template, url, secret, topics, identities, created_at,
      ${progressColumns.join(', ')}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const forget = database.prepare('delete from webhooks where id = ?');
  const forgetDeliveries = database.prepare('delete from webhook_deliveries where hook = ?');
  const move = database.prepare(
    `update webhooks set ${progressColumns.map((name) => `${name} = ?`).join(', ')} where id = ?`,
  );
  // Of a webhook that is gone meanwhile nothing is kept. A message that was sent again is the same one.
  const deliver = database.prepare(
    `insert into webhook_deliveries (hook, message, type, at, outcome, tries, status, reason)
      select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 where exists (select 1 from webhooks where id = ?1)
      on conflict (hook, message) do update set at = excluded.at, outcome = excluded.outcome,
        tries = excluded.tries, status = excluded.status, reason = excluded.reason`,
  );
  const trim = database.prepare(
    `delete from webhook_deliveries where hook = ?1 and outcome = ?2 and n <=
      (select n from webhook_deliveries where hook = ?1 and outcome = ?2 order by n desc limit 1 offset ?3)`,
  );
  // As in the audit: by the time alone, those would go early that are of a clock that was behind.
  const old = database.prepare(
    `delete from webhook_deliveries where n in (
      select n from webhook_deliveries
        where at < ?1 and +n < coalesce(
          (select n from webhook_deliveries where at >= ?1 order by at, n limit 1), ${Number.MAX_SAFE_INTEGER})
        order by at, n limit ?2)`,
  );
  /** What a row was is written over, not left in the file: a URL and a secret end with their webhook. */
  const leavingNothing = <Made>(work: () => Made): Made => {
    database.exec('pragma secure_delete=on');
    try {
      return work();
    } finally {
      database.exec('pragma secure_delete=off');
    }
  };
  const writer = {
    put(hook: KeptWebhook): void {
      const { id, name, template, url, secret, topics, identities, createdAt } = hook;
      const definition = [id, name, template, url, secret, topics.join(), Number(identities), createdAt];
      put.run(...definition, ...progressValues(hook));
    },
    keep({ put: hooks, forget: forgotten, operation }: WebhooksWrite): number {
      leavingNothing(() => {
        for (const hook of hooks) writer.put(hook);
        for (const id of forgotten) forget.run(id);
      });
      for (const id of forgotten) forgetDeliveries.run(id);
      operations.keep(operation);
      return hooks.length;
    },
    move({ moved, deliveries }: WebhooksMoved): number {
      leavingNothing(() => {
        for (const { id, ...progress } of moved) move.run(...progressValues(progress), id);
      });
      for (const { hook, message, type, at, outcome, tries, status, reason } of deliveries) {
        deliver.run(hook, message, type, at, outcome, tries, status, reason);
        trim.run(hook, outcome, deliveriesKept[outcome]);
      }
      return moved.length;
    },
    forget({ before, most }: ForgetDeliveries): number {
      return Number(old.run(before, most).changes);
    },
  };
  return writer;
}

/** All that are kept, in the order in which they were made. */
export function keptWebhooks(database: DatabaseSync): KeptWebhook[] {
  const rows = database
    .prepare(
      `select id, name, template, url, secret, topics, identities, created_at as createdAt, epoch, number, gap_to as gapTo, state,
        since, delivered_at as deliveredAt, failing_since as failingSince, failures, tries, reason, not_before as notBefore
        from webhooks order by created_at, id`,
    )
    .all();
  // A strict table holds what its columns say, and nobody else writes it.
  return rows.map((row) => ({
    ...row,
    topics: String(row['topics']).split(','),
    identities: row['identities'] === 1,
  })) as unknown as KeptWebhook[];
}

export interface DeliveryQuery {
  readonly hook?: string | undefined;
  readonly outcome?: DeliveryOutcome | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Reads what became of messages, and how many events are yet to be told. */
export class WebhookReader {
  readonly #page: ReturnType<DatabaseSync['prepare']>;
  readonly #lag: ReturnType<DatabaseSync['prepare']>;

  constructor(database: DatabaseSync) {
    this.#page = database.prepare(
      `select n as number, hook, message, type, at, outcome, tries, status, reason from webhook_deliveries
        where n < ?1 and (?2 is null or hook = ?2) and (?3 is null or outcome = ?3) order by n desc limit ?4`,
    );
    // Counted by the database: as rows they would be a hundred thousand in a list of webhooks.
    this.#lag = database.prepare(
      'select count(*) as found from (select 1 from events where topic = ? and n > ? limit ?)',
    );
  }

  /** The newest first. */
  deliveries({ hook, outcome, before, limit }: DeliveryQuery): KeptDelivery[] {
    const rows = this.#page.all(before ?? Number.MAX_SAFE_INTEGER, hook ?? null, outcome ?? null, limit);
    return rows as unknown as KeptDelivery[];
  }

  /** How many events of these topics are kept behind that number, or `most`. */
  lag(topics: readonly string[], after: number, most: number): number {
    return topics.reduce(
      (found, topic) => found + Number(this.#lag.get(topic, after, most - found)?.['found']),
      0,
    );
  }
}
