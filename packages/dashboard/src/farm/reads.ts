import { type ReadonlySignal, signal } from '@preact/signals';
import type { Caller, Event, FarmOperations, Topic } from '@steward/client';
import { StewardError } from '@steward/client';

export type ReadId = Extract<keyof FarmOperations, `get${string}` | `list${string}`>;
export type Answer<Id extends ReadId> = Awaited<ReturnType<FarmOperations[Id]>>;
/** What a read is asked; where that depends on the time, a function that is the same each time. */
export type Asked<Id extends ReadId> = Question<Id> | (() => Question<Id>);
type Question<Id extends ReadId> = NonNullable<Parameters<FarmOperations[Id]>[0]>;

/** What is known of a read: its last answer, and why there is no newer one. */
export interface Shown<Value> {
  readonly value?: Value | undefined;
  readonly error?: StewardError | undefined;
}

const readTopics: readonly Topic[] = [
  'chat',
  'players',
  'farm',
  'farmhands',
  'invites',
  'game',
  'operations',
  'backups',
  'schedules',
  'sidecar',
  'server',
  'state',
];

/** All that a key may hear. */
export function topicsFor({ scopes }: Pick<Caller, 'scopes'>): readonly Topic[] {
  if (scopes.includes('admin')) return [...readTopics, 'webhooks'];
  if (scopes.includes('read')) return readTopics;
  return scopes.includes('chat') ? ['chat'] : [];
}

/** By the beginnings of events: what they make another, beside what `state.changed` names. */
const madeOldBy: Readonly<Record<string, readonly ReadId[]>> = {
  'operations.': ['listOperations', 'getAudit', 'listKeys', 'listSchedules', 'getSettings'],
  'farm.saved': ['listBackups', 'getDrain', 'listFarms'],
  'farm.loaded': ['listFarms', 'getSettings'],
  'game.connected': ['listFarms', 'getSettings'],
  'backups.': ['listBackups'],
  'server.settingsChanged': ['getSettings'],
  'server.drain': ['getDrain'],
  'players.banned': ['listBans'],
  'players.unbanned': ['listBans'],
  'players.allowed': ['listAllowed'],
  'players.disallowed': ['listAllowed'],
  'webhooks.': ['listWebhooks'],
  'schedules.': ['listSchedules'],
};

/** What is another where another read is: a schedule may be due by how long nobody is online. */
const followsOn: Readonly<Record<string, readonly ReadId[]>> = { listPlayers: ['listSchedules'] };

/** Which reads would answer otherwise since this happened. */
export function readsAfter(event: Event): readonly string[] {
  if (event.type === 'state.changed') return event.data.reads.flatMap((id) => [id, ...(followsOn[id] ?? [])]);
  return Object.entries(madeOldBy).flatMap(([beginning, ids]) =>
    event.type.startsWith(beginning) ? ids : [],
  );
}

/** What no event makes another, or not each that does: asked for anew by whoever comes back to it. */
const toldByNobody: ReadonlySet<ReadId> = new Set([
  'getEvents',
  'getAudit',
  'getSamples',
  'getGameLog',
  'listDeliveries',
  'listKeys',
  'listOperations',
  'listWebhooks',
  'listBackups',
  'listSchedules',
  'getSettings',
  'listAllowed',
]);

/** So long after a failure that may pass by itself: nobody tells when it has. */
const againMs = 20_000;

interface Read {
  readonly id: ReadId;
  readonly shown: ReadonlySignal<Shown<unknown>>;
  readonly makeOld: () => Promise<void>;
}

/** The answers that somebody looks at, each asked for once for all of them, and anew when it is another. */
export class Reads {
  readonly #ask: (id: ReadId, asked: object) => Promise<unknown>;
  readonly #begun: Promise<void>;
  readonly #isHeard: () => boolean;
  readonly #reads = new Map<unknown, Read>();

  /** `isHeard`: whether anybody tells of what happens. */
  constructor(
    ask: (id: ReadId, asked: object) => Promise<unknown>,
    begun: Promise<void>,
    isHeard = () => true,
  ) {
    this.#ask = ask;
    this.#begun = begun;
    this.#isHeard = isHeard;
  }

  of<Id extends ReadId>(id: Id, asked: Asked<Id> = {}): ReadonlySignal<Shown<Answer<Id>>> {
    const isMoving = typeof asked === 'function';
    const name = isMoving ? asked : `${id} ${JSON.stringify(asked)}`;
    const read = this.#reads.get(name) ?? this.#made(id, isMoving ? asked : () => asked);
    this.#reads.set(name, read);
    return read.shown as ReadonlySignal<Shown<Answer<Id>>>;
  }

  /** Those named are asked for anew where somebody looks at them; all of them where none is named. It ends when they have been. */
  async makeOld(ids?: readonly string[]): Promise<void> {
    const old = [...this.#reads.values()].filter(({ id }) => ids === undefined || ids.includes(id));
    await Promise.all(old.map(({ makeOld }) => makeOld()));
  }

  #made(id: ReadId, asked: () => object): Read {
    let isOld = true;
    let isWatched = false;
    let underWay: Promise<void> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      underWay ??= askWhileOld();
      return underWay;
    };
    const askWhileOld = async () => {
      try {
        await this.#begun;
        while (isOld && isWatched) {
          isOld = false;
          clearTimeout(again);
          try {
            shown.value = { value: await this.#ask(id, asked()) };
          } catch (error) {
            if (!(error instanceof StewardError)) throw error;
            shown.value = { value: shown.peek().value, error };
            const { status = 500 } = error;
            if (status >= 500 && status !== 501) again = setTimeout(makeOld, againMs);
          }
        }
      } finally {
        // Also after an error that nobody foresaw, or it would never be asked for again.
        underWay = undefined;
      }
    };
    const shown = signal<Shown<unknown>>(
      {},
      {
        watched: () => {
          isWatched = true;
          void ask();
        },
        unwatched: () => {
          isWatched = false;
          isOld ||= shown.peek().error !== undefined || toldByNobody.has(id) || !this.#isHeard();
        },
      },
    );
    const makeOld = () => {
      isOld = true;
      return ask();
    };
    return { id, shown, makeOld };
  }
}
