import { type Clock, inTime } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { type AuditFacts, auditFacts } from '@steward/shared/api/answers/audit';
import type { EndpointId } from '@steward/shared/api/endpoints';
import type { AuditOutcome } from '@steward/shared/api/endpoints/audit';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import { isFinal, type Operation } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import type { AuditSort } from '../store/audit.ts';
import type { KeptAudit, NewAuditRow } from '../store/kept-audit.ts';
import type { Store } from '../store/store.ts';
import { StoreError, type StoreProblem } from '../store/store-error.ts';
import { Refusals, type Who } from './refusals.ts';

/** A disk that takes longer is as good as none: whoever waits is answered, and the log has the line. */
const patienceMs = 10_000;

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

/** What has begun: on the disk before it can be done. */
export interface BegunWrite {
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

/** Who did what: a line for each write, by whichever door, before it is answered. */
export class Audit {
  readonly refusals: Refusals;
  readonly #parts: AuditParts;
  /** What was said to be unknown, by its operation, until that has ended. */
  readonly #unsettled = new Map<string, NewAuditRow>();

  constructor(parts: AuditParts) {
    this.#parts = parts;
    this.refusals = new Refusals(parts.clock, (what, count) => {
      void this.#keep(this.#row(what, { outcome: 'denied' }, { count }), 'late');
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
   * Why somebody with this key can change nothing: what a key other than the owner's does is kept or not done. The owner's own writes
   * are done in any case, and logged.
   */
  whyNot(keyId: string | undefined): StoreProblem | undefined {
    return keyId === undefined ? undefined : this.#parts.store.problem;
  }

  begin(what: AskedFor): BegunWrite {
    const begun = this.#begun(what);
    return { ended: (how) => this.#keep(this.#row(what, how), 'durable', begun) };
  }

  /** What is counted of floods is written down. */
  close(): void {
    this.refusals.close();
  }

  /** Undefined where nothing can be noted; the line will say in the log what it has to. */
  #begun(what: AskedFor): number | undefined {
    try {
      const { outcome: _, operation: __, ...row } = this.#row(what, { outcome: 'unknown' });
      return this.#parts.kept.begin(row);
    } catch (error) {
      if (error instanceof StoreError) return undefined;
      throw error;
    }
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

  async #keep(row: NewAuditRow, durability: 'durable' | 'late', begun?: number): Promise<void> {
    if (row.outcome === 'unknown' && row.operation !== null) this.#unsettledIs(row);
    const { clock, log } = this.#parts;
    const kept = this.#parts.kept.keep(row, durability, begun);
    const tooLate = () => new StoreError('busy', `the disk did not take it within ${patienceMs} ms`);
    try {
      await (durability === 'durable' ? inTime(kept, patienceMs, clock, tooLate) : kept);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const { body, sort: _, ...facts } = row;
      const { says, ...more } = auditFacts.parse(JSON.parse(body));
      log.warn(
        { ...facts, ...more },
        `${says}; the log alone says so, as it could not be kept in the audit: ${error.message}`,
      );
    }
  }

  #unsettledIs(row: NewAuditRow): void {
    if (row.operation === null) return;
    this.#unsettled.set(row.operation, row);
    if (this.#unsettled.size > mostUnsettled)
      this.#unsettled.delete(this.#unsettled.keys().next().value ?? '');
  }

  /** A line never changes: of an outcome that becomes known there is a second one. */
  #changed(operation: Operation): void {
    const row = this.#unsettled.get(operation.id);
    if (row === undefined || !isFinal(operation)) return;
    this.#unsettled.delete(operation.id);
    const outcome = outcomeOf(operation);
    if (outcome === 'unknown') return;
    const { problem: _, ...facts } = auditFacts.parse(JSON.parse(row.body));
    const body = JSON.stringify({ ...facts, ...subjectOf(operation) });
    const at = this.#parts.clock.date().getTime();
    void this.#keep({ ...row, at, outcome, body, sort: sortOf(row.action, outcome) }, 'late');
  }
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
