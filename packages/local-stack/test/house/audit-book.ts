import type { Audit } from '@steward/client';

export type AuditLine = Pick<
  Audit['lines'][number],
  'actor' | 'action' | 'outcome' | 'operationId' | 'problem' | 'interrupted'
>;

interface Deed {
  readonly actor: string;
  readonly what: string;
}

/** How much of the audit may be open, because of what has befallen the service. */
export interface Excuses {
  /** Operations whose line the log had alone, as the disk took none. */
  readonly logged: ReadonlySet<string>;
  /** How many lines of each may say that nobody saw the end: as many as had something under way whenever the service was killed. */
  readonly interruptions: Readonly<Record<string, number>>;
}

/** With these nothing was done for the moment: the disk is full, or the game saves. The same may be asked again under the same key. */
const keyIsFree: readonly string[] = ['state-unwritable', 'game-unavailable'];

const final: readonly string[] = ['applied', 'refused', 'void'];

/** Who had what done, by their own account, to be compared with the audit: each deed stands there once, and no other. */
export class AuditBook {
  readonly #deeds = new Map<string, Deed>();
  /** Those who tell this book of everything that they have done. */
  readonly #writers: readonly string[];
  readonly #others: readonly string[];

  constructor(writers: readonly string[], others: readonly string[]) {
    this.#writers = writers;
    this.#others = others;
  }

  get deeds(): number {
    return this.#deeds.size;
  }

  did(actor: string, what: string, operationId: string | undefined): void {
    if (operationId !== undefined) this.#deeds.set(operationId, { actor, what });
  }

  /** What is wrong between the two. */
  compare(lines: readonly AuditLine[], excuses: Excuses): readonly string[] {
    const ended = Map.groupBy(
      lines.filter(({ operationId, outcome }) => operationId !== undefined && final.includes(outcome)),
      ({ operationId }) => operationId ?? '',
    );
    const interrupted = Map.groupBy(
      lines.filter((line) => line.interrupted === true),
      ({ actor }) => actor,
    );
    return [
      ...[...ended]
        .filter(([, all]) => isDoubled(all))
        .map(
          ([id, all]) =>
            `${id} ended ${all.length} times: ${all.map(({ outcome, problem }) => problem ?? outcome).join(', ')}`,
        ),
      ...this.#missing(ended, interrupted, excuses),
      ...this.#unexplained(ended),
      ...strangers(lines, [...this.#writers, ...this.#others]),
      ...[...interrupted].flatMap(([actor, { length }]) => {
        const most = excuses.interruptions[actor] ?? 0;
        return length > most ? [`${length} lines of ${actor} are interrupted, where ${most} could be`] : [];
      }),
    ];
  }

  /** A deed whose end was not written stands there as interrupted: there are no more without an end than of these. */
  #missing(
    ended: ReadonlyMap<string, readonly AuditLine[]>,
    interrupted: ReadonlyMap<string, readonly AuditLine[]>,
    { logged }: Excuses,
  ): readonly string[] {
    const missing = [...this.#deeds].filter(([id, { actor }]) => {
      const isThere = ended.get(id)?.some((line) => line.outcome === 'applied' && line.actor === actor);
      return isThere !== true && !logged.has(id);
    });
    return [...Map.groupBy(missing, ([, { actor }]) => actor)].flatMap(([actor, deeds]) =>
      deeds.length <= (interrupted.get(actor)?.length ?? 0)
        ? []
        : deeds.map(([id, { what }]) => `${actor} has done ${what} (${id}), and the audit does not say so`),
    );
  }

  #unexplained(ended: ReadonlyMap<string, readonly AuditLine[]>): readonly string[] {
    return [...ended.values()]
      .flat()
      .flatMap(({ operationId = '', outcome, actor, action }) =>
        outcome === 'applied' && this.#writers.includes(actor) && !this.#deeds.has(operationId)
          ? [`the audit says that ${actor} did ${action} (${operationId}), who knows nothing of it`]
          : [],
      );
  }
}

/**
 * What was done stands there once. Before that it may have been refused for the moment, under the same key and so as the same operation;
 * that nothing was done may be said to each who asked, as refused to one and as void to another.
 */
function isDoubled(lines: readonly AuditLine[]): boolean {
  const done = lines.filter(({ outcome }) => outcome === 'applied').length;
  const others = lines.filter(
    ({ outcome, problem }) => outcome !== 'applied' && !keyIsFree.includes(problem ?? ''),
  );
  return done > 1 || (done === 1 && others.length > 0);
}

function strangers(lines: readonly AuditLine[], known: readonly string[]): readonly string[] {
  const unknown = new Set(lines.map(({ actor }) => actor).filter((actor) => !known.includes(actor)));
  return [...unknown].map((actor) => `nobody knows ${actor}, of whom the audit tells`);
}
