import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, settledWithin } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { type AuditFacts, auditFacts } from '@steward/shared/api/answers/audit';
import type { EndpointId } from '@steward/shared/api/endpoints';
import type { AuditOutcome } from '@steward/shared/api/endpoints/audit';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import { isFinal, type Operation } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import type { KeptAudit, NewAuditRow } from '../store/kept/audit.ts';
import type { Store } from '../store/store.ts';
import type { AuditSort } from '../store/tables/audit.ts';
import { StoreError, type StoreProblem } from '../store/tables/store-error.ts';
import { Refusals, type Who } from './refusals.ts';

/** A disk that takes longer is as good as none: whoever waits is answered, and the log has the line. */
const patienceMs = 10_000;

/** Of that, for what has to be on the disk before anything is done. */
const beginPatienceMs = 5_000;

/** Lines kept in memory until the disk can be written again; they are in the log, too. */
const mostUnkept = 1_000;

/** Outcomes that are waited for at the most: as many as there are operations that are remembered. */
const mostUnsettled = 2_000;

/** Talk has room of its own: however much there is, no deed is forgotten for it. */
const talk: EndpointId = 'sendChat';

/** Who asks for what. */
export interface AskedFor extends Who, Pick<AuditFacts, 'door' | 'says' | 'parameters' | 'requestId'> {
  readonly action: string;
}

/** How it ended. Where there is an operation, that one says so. */
export interface Ended {
  readonly outcome: AuditOutcome;
  readonly operationId?: string | undefined;
  readonly problem?: ProblemCode | undefined;
}

/** What has begun: on the disk before the database takes anything that it does. */
export interface BegunWrite {
  /** Resolves when that is on the disk, or with why it is not: for what is done elsewhere than in the database. */
  noted(): Promise<StoreError | undefined>;
  /** Runs the work. If it has steps, the line gets its operation's id, so that a kill hides neither who began it nor how it ended. */
  carry<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when its line is on the disk, or in the log where that takes none. */
  ended(how: Ended): Promise<void>;
}

export interface AuditParts {
  readonly store: Pick<Store, 'problem'>;
  readonly kept: KeptAudit;
  readonly operations: Pick<Operations, 'find' | 'follow'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** A line that the disk did not take, and by which number it had begun. */
interface Unkept {
  readonly row: NewAuditRow;
  readonly begun: number | undefined;
}

/** Who did what: a line for each write, by whichever door, before it is answered. */
export class Audit {
  readonly refusals: Refusals;
  readonly #parts: AuditParts;
  /** What was said to be unknown, by its operation, until that has ended. */
  readonly #unsettled = new Map<string, NewAuditRow>();
  readonly #unkept = new Set<Unkept>();
  /** Of the write for which something is done: takes which operation that is. */
  readonly #writing = new AsyncLocalStorage<(operationId: string) => void>();

  constructor(parts: AuditParts) {
    this.#parts = parts;
    this.refusals = new Refusals(parts.clock, (what, count) => {
      void this.#keep(this.#row(what, { outcome: 'denied' }, { count }));
    });
    parts.operations.follow((operation) => this.#changed(operation));
  }

  /** Takes up what an earlier process left unknown. */
  async load(): Promise<void> {
    const rows = await this.#parts.kept.unsettled(mostUnsettled).catch((error: unknown) => {
      if (error instanceof StoreError) return [];
      throw error;
    });
    for (const { number: _, ...row } of rows.toReversed()) this.#unsettledIs(row);
  }

  /**
   * To be called once operations are loaded: one that had ended before its process was killed changes no more, and the line that says how
   * may not have come to be.
   */
  settle(): void {
    for (const id of this.#unsettled.keys()) {
      const known = this.#parts.operations.find(id);
      if (known !== undefined) this.#changed(known);
    }
  }

  /**
   * Why somebody with this key can change nothing: what a key other than the owner's does is kept or not done. The owner's own writes
   * are done in any case, and logged.
   */
  whyNot(keyId: string | undefined): StoreProblem | undefined {
    return keyId === undefined ? undefined : this.#parts.store.problem;
  }

  /** `durable` where somebody will wait until it is noted. */
  begin(what: AskedFor, durability: 'durable' | 'late' = 'late'): BegunWrite {
    const { number, noted } = this.#begun(what, durability);
    const { clock, kept } = this.#parts;
    let isNamed = number === undefined;
    const named = (operationId: string) => {
      if (isNamed || number === undefined) return;
      isNamed = true;
      kept.begunIs(number, operationId, this.#beginning(what));
    };
    const restMs = durability === 'durable' ? patienceMs - beginPatienceMs : patienceMs;
    return {
      noted: () =>
        settledWithin(noted, beginPatienceMs, clock, () => tooSlow(beginPatienceMs)).then(
          noError,
          asStoreError,
        ),
      carry: (work) => this.#writing.run(named, work),
      ended: (how) => {
        isNamed = true;
        return this.#keep(this.#row(what, how), { begun: number, withinMs: restMs });
      },
    };
  }

  /** What is counted of floods is written down, and what the disk did not take is tried a last time. */
  close(): void {
    this.refusals.close();
    this.#again();
  }

  /** Without a number where nothing can be noted; the line will say in the log what it has to. */
  #begun(
    what: AskedFor,
    durability: 'durable' | 'late',
  ): { readonly number?: number; readonly noted: Promise<unknown> } {
    try {
      return this.#parts.kept.begin(this.#beginning(what), durability);
    } catch (error) {
      const noted = Promise.reject(asStoreError(error));
      noted.catch(() => {});
      return { noted };
    }
  }

  #beginning(what: AskedFor): Omit<NewAuditRow, 'outcome' | 'operation'> {
    const { outcome: _, operation: __, ...row } = this.#row(what, { outcome: 'unknown' });
    return row;
  }

  #row(what: AskedFor, how: Ended, more: Pick<AuditFacts, 'count'> = {}): NewAuditRow {
    const { actor, action, ...facts } = what;
    const operation =
      how.operationId === undefined ? undefined : this.#parts.operations.find(how.operationId);
    const outcome = operation === undefined ? how.outcome : outcomeOf(operation);
    const { problem } = how;
    const subject = subjectOf(operation);
    return {
      at: this.#parts.clock.date().getTime(),
      sort: sortOf(action, outcome),
      actor,
      action,
      outcome,
      operation: how.operationId ?? null,
      body: JSON.stringify({ ...facts, ...subject, problem, ...more } satisfies AuditFacts),
    };
  }

  /** Where somebody waits, it is for so long at the most. */
  async #keep(
    row: NewAuditRow,
    { begun, withinMs }: { readonly begun?: number | undefined; readonly withinMs?: number } = {},
  ): Promise<void> {
    if (row.outcome === 'unknown' && row.operation !== null) this.#unsettledIs(row);
    const { clock, log } = this.#parts;
    const kept = this.#tried({ row, begun }, withinMs === undefined ? 'late' : 'durable');
    try {
      await (withinMs === undefined ? kept : settledWithin(kept, withinMs, clock, () => tooSlow(withinMs)));
      this.#again();
    } catch (cause) {
      const error = asStoreError(cause);
      const { body, sort: _, ...facts } = row;
      const { says, ...more } = auditFacts.parse(JSON.parse(body));
      const what = row.outcome === 'applied' ? says : `${says}: ${row.outcome}`;
      log.warn(
        { ...facts, ...more },
        `${what}; this is only in the log, because it could not be stored in the audit: ${error.message}`,
      );
    }
  }

  async #tried(line: Unkept, durability: 'durable' | 'late'): Promise<void> {
    try {
      await this.#parts.kept.keep(line.row, durability, line.begun);
    } catch (cause) {
      const error = asStoreError(cause);
      if (!error.isLasting) this.#unkept.add(line);
      const [oldest] = this.#unkept;
      if (oldest !== undefined && this.#unkept.size > mostUnkept) this.#unkept.delete(oldest);
      throw error;
    }
  }

  /** The disk takes lines: those that it did not take before are tried again, so that none seems to have been interrupted. */
  #again(): void {
    const lines = [...this.#unkept];
    this.#unkept.clear();
    for (const line of lines) this.#tried(line, 'late').catch(() => {});
  }

  /** By who began it: a retry that is told the same began nothing. */
  #unsettledIs(row: NewAuditRow): void {
    if (row.operation === null || this.#unsettled.has(row.operation)) return;
    this.#unsettled.set(row.operation, row);
    if (this.#unsettled.size > mostUnsettled)
      this.#unsettled.delete(this.#unsettled.keys().next().value ?? '');
  }

  /** A line never changes: of an outcome that becomes known there is a second one. */
  #changed(operation: Operation): void {
    if (operation.step !== undefined) this.#writing.getStore()?.(operation.id);
    const row = this.#unsettled.get(operation.id);
    if (row === undefined || !isFinal(operation)) return;
    this.#unsettled.delete(operation.id);
    const outcome = outcomeOf(operation);
    if (outcome === 'unknown') return;
    const { problem: _, interrupted: __, ...facts } = auditFacts.parse(JSON.parse(row.body));
    const body = JSON.stringify({ ...facts, ...subjectOf(operation) });
    const at = this.#parts.clock.date().getTime();
    void this.#keep({ ...row, at, outcome, body, sort: sortOf(row.action, outcome) });
  }
}

function tooSlow(ms: number): StoreError {
  return new StoreError('busy', `the disk did not store it within ${ms} ms`);
}

function noError(): undefined {}

function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  throw error;
}

function outcomeOf({ state }: Operation): AuditOutcome {
  return state === 'pending' || state === 'claimed' ? 'unknown' : state;
}

function subjectOf(operation: Operation | undefined): Pick<AuditFacts, 'subject'> {
  const outcome = operation?.outcome;
  return outcome?.outcome === 'applied' && outcome.subject !== undefined ? { subject: outcome.subject } : {};
}

function sortOf(action: string, outcome: AuditOutcome): AuditSort {
  if (action === talk) return 'said';
  return outcome === 'applied' || outcome === 'unknown' || outcome === 'failed' ? 'done' : 'refused';
}
