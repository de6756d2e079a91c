import { type FailuresInARow, noFailures, stableMs, waitMs, withOneMore } from '../platform/backoff.ts';
import { type Failure, type PassingFailure, passes } from '../platform/failure.ts';
import type { LoginSource } from './login-source.ts';

export interface SourceReference extends Pick<LoginSource, 'id' | 'kind'> {
  /** Why it was refused before this process began. */
  readonly spent?: Failure;
}

export type SessionState =
  | { readonly name: 'no-account' }
  /** The first login of this process waits for its turn among those of its address. */
  | { readonly name: 'paced'; readonly untilMs: number }
  | { readonly name: 'logging-in'; readonly source: SourceReference }
  /** `restsOn`: the credential that the session holds, which a password has brought. */
  | { readonly name: 'logged-in'; readonly source: SourceReference; readonly restsOn: string }
  | { readonly name: 'waiting'; readonly failure: PassingFailure; readonly untilMs: number }
  | { readonly name: 'credentials-refused' };

/** All that decides what happens next. Times are of the injected clock. */
export interface SessionModel {
  readonly state: SessionState;
  readonly sinceMs: number;
  readonly sources: readonly SourceReference[];
  /** Nobody has looked for credentials yet. */
  readonly isFirstLook: boolean;
  /** Every credential that was ever there: one that a disk hid for a moment is no news. */
  readonly seen: ReadonlySet<string>;
  /** Why each dead credential was refused. It is not tried again; another one in its place has another id. */
  readonly refused: ReadonlyMap<string, Failure>;
  /** That no stable session interrupted. */
  readonly failures: FailuresInARow;
}

export type SessionEvent =
  | { readonly type: 'sources'; readonly sources: readonly SourceReference[] }
  | { readonly type: 'logged-on'; readonly restsOn: string }
  /** A logon failed or the session was lost: the state tells which. */
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'retry-due' };

export type SessionEffect =
  | { readonly type: 'log-on'; readonly source: SourceReference }
  | { readonly type: 'wait'; readonly ms: number };

export interface Surroundings {
  readonly nowMs: number;
  /** From 0 up to 1. */
  readonly random: number;
  /** How long this account waits for its turn among those of its address: before the first login, and once that is limited. */
  readonly paceMs: number;
}

export interface Step {
  readonly model: SessionModel;
  readonly effects: readonly SessionEffect[];
}

export function initialModel(nowMs: number): SessionModel {
  return {
    state: { name: 'no-account' },
    sinceMs: nowMs,
    sources: [],
    isFirstLook: true,
    seen: new Set(),
    refused: new Map(),
    failures: noFailures,
  };
}

/** The whole behaviour of a session, without anything that happens. An event that does not fit changes nothing. */
export function step(model: SessionModel, event: SessionEvent, surroundings: Surroundings): Step {
  switch (event.type) {
    case 'sources':
      return takeSources(model, event.sources, surroundings);
    case 'logged-on':
      if (model.state.name !== 'logging-in') return { model, effects: [] };
      return enter(
        model,
        { name: 'logged-in', source: model.state.source, restsOn: event.restsOn },
        surroundings,
      );
    case 'failed':
      return fail(model, event.failure, surroundings);
    case 'retry-due':
      return model.state.name === 'waiting' || model.state.name === 'paced'
        ? logOn(model, surroundings)
        : { model, effects: [] };
  }
}

function takeSources(model: SessionModel, sources: readonly SourceReference[], at: Surroundings): Step {
  const ids = new Set(sources.map(({ id }) => id));
  const spent = sources.flatMap(({ id, spent: why }) => (why === undefined ? [] : [[id, why] as const]));
  const refused = new Map([...spent, ...[...model.refused].filter(([id]) => ids.has(id))]);
  const next = { ...model, sources, isFirstLook: false, seen: new Set([...model.seen, ...ids]), refused };
  switch (model.state.name) {
    case 'no-account':
    case 'credentials-refused':
      // Whoever brings a credential later comes alone.
      return model.isFirstLook && at.paceMs > 0 ? pace(next, at) : logOn(next, at);
    case 'paced':
    case 'waiting': {
      // A credential that was not there before deserves its try: somebody has just logged in.
      const first = firstSource(next);
      const isNews = first !== undefined && !model.seen.has(first.id);
      return isNews ? logOn(next, at) : { model: next, effects: [] };
    }
    default:
      return { model: next, effects: [] };
  }
}

function pace(model: SessionModel, at: Surroundings): Step {
  if (firstSource(model) === undefined) return logOn(model, at);
  const { paceMs: ms, nowMs } = at;
  return { ...enter(model, { name: 'paced', untilMs: nowMs + ms }, at), effects: [{ type: 'wait', ms }] };
}

function fail(model: SessionModel, failure: Failure, at: Surroundings): Step {
  const { state } = model;
  if (state.name !== 'logging-in' && state.name !== 'logged-in') return { model, effects: [] };
  const wasStable = state.name === 'logged-in' && at.nowMs - model.sinceMs >= stableMs(failure.class);
  const failures = withOneMore(wasStable ? noFailures : model.failures, failure.class);
  if (!passes(failure)) {
    // A password that brought a session which held is good, whatever became of the token. Else it would log in again and again.
    const id = wasStable ? state.restsOn : state.source.id;
    const refused = new Map(model.refused).set(id, failure);
    return logOn({ ...model, refused, failures }, at);
  }
  // Those of one address were refused together, as after an outage: each comes back in its turn.
  const turnMs = failure.class === 'rate-limited' ? at.paceMs : 0;
  const ms = waitMs(failure.class, failures.count, at.random) + turnMs;
  const waiting = enter({ ...model, failures }, { name: 'waiting', failure, untilMs: at.nowMs + ms }, at);
  return { ...waiting, effects: [{ type: 'wait', ms }] };
}

/** With the first source in order that was not refused; without one there is nothing to do but wait for news. */
function logOn(model: SessionModel, at: Surroundings): Step {
  const source = firstSource(model);
  if (source !== undefined) {
    const { model: entered } = enter(model, { name: 'logging-in', source }, at);
    return { model: entered, effects: [{ type: 'log-on', source }] };
  }
  const name = model.sources.length === 0 ? 'no-account' : 'credentials-refused';
  return model.state.name === name ? { model, effects: [] } : enter(model, { name }, at);
}

function firstSource({ sources, refused }: SessionModel): SourceReference | undefined {
  return sources.find(({ id }) => !refused.has(id));
}

function enter(model: SessionModel, state: SessionState, { nowMs }: Surroundings): Step {
  return { model: { ...model, state, sinceMs: nowMs }, effects: [] };
}
