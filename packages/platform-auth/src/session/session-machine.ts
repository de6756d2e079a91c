import { stableSessionMs, waitMs } from './backoff.ts';
import { type Failure, type PassingFailure, passes } from './failure.ts';
import type { LoginSource } from './login-source.ts';

export type SourceReference = Pick<LoginSource, 'id' | 'kind'>;

export type SessionState =
  | { readonly name: 'no-account' }
  | { readonly name: 'logging-in'; readonly source: SourceReference }
  | { readonly name: 'logged-in'; readonly source: SourceReference }
  | { readonly name: 'waiting'; readonly failure: PassingFailure; readonly untilMs: number }
  | { readonly name: 'credentials-refused' };

/** All that decides what happens next. Times are of the injected clock. */
export interface SessionModel {
  readonly state: SessionState;
  readonly sinceMs: number;
  readonly sources: readonly SourceReference[];
  /** Why each dead credential was refused. It is not tried again; another one in its place has another id. */
  readonly refused: ReadonlyMap<string, Failure>;
  /** Failures in a row that no stable session interrupted. */
  readonly failures: number;
}

export type SessionEvent =
  | { readonly type: 'sources'; readonly sources: readonly SourceReference[] }
  | { readonly type: 'logged-on' }
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
}

export interface Step {
  readonly model: SessionModel;
  readonly effects: readonly SessionEffect[];
}

export function initialModel(nowMs: number): SessionModel {
  return { state: { name: 'no-account' }, sinceMs: nowMs, sources: [], refused: new Map(), failures: 0 };
}

/** The whole behaviour of a session, without anything that happens. An event that does not fit changes nothing. */
export function step(model: SessionModel, event: SessionEvent, surroundings: Surroundings): Step {
  switch (event.type) {
    case 'sources':
      return takeSources(model, event.sources, surroundings);
    case 'logged-on':
      if (model.state.name !== 'logging-in') return { model, effects: [] };
      return enter(model, { name: 'logged-in', source: model.state.source }, surroundings);
    case 'failed':
      return fail(model, event.failure, surroundings);
    case 'retry-due':
      return model.state.name === 'waiting' ? logOn(model, surroundings) : { model, effects: [] };
  }
}

function takeSources(model: SessionModel, sources: readonly SourceReference[], at: Surroundings): Step {
  const known = new Set(model.sources.map(({ id }) => id));
  const ids = new Set(sources.map(({ id }) => id));
  const refused = new Map([...model.refused].filter(([id]) => ids.has(id)));
  const next = { ...model, sources, refused };
  switch (model.state.name) {
    case 'no-account':
    case 'credentials-refused':
      return logOn(next, at);
    case 'waiting': {
      // A credential that was not there before deserves its try, but never a fight with another program.
      const isNews = sources.some(({ id }) => !known.has(id));
      const mayTry = isNews && model.state.failure.class !== 'replaced';
      return mayTry ? logOn(next, at) : { model: next, effects: [] };
    }
    default:
      return { model: next, effects: [] };
  }
}

function fail(model: SessionModel, failure: Failure, at: Surroundings): Step {
  const { state } = model;
  if (state.name !== 'logging-in' && state.name !== 'logged-in') return { model, effects: [] };
  if (!passes(failure)) {
    const refused = new Map(model.refused).set(state.source.id, failure);
    return logOn({ ...model, refused }, at);
  }
  const wasStable = state.name === 'logged-in' && at.nowMs - model.sinceMs >= stableSessionMs;
  const failures = wasStable ? 1 : model.failures + 1;
  const ms = waitMs(failure.class, failures, at.random);
  const waiting = enter({ ...model, failures }, { name: 'waiting', failure, untilMs: at.nowMs + ms }, at);
  return { ...waiting, effects: [{ type: 'wait', ms }] };
}

/** With the first source in order that was not refused; without one there is nothing to do but wait for news. */
function logOn(model: SessionModel, at: Surroundings): Step {
  const source = model.sources.find(({ id }) => !model.refused.has(id));
  if (source !== undefined) {
    const { model: entered } = enter(model, { name: 'logging-in', source }, at);
    return { model: entered, effects: [{ type: 'log-on', source }] };
  }
  const name = model.sources.length === 0 ? 'no-account' : 'credentials-refused';
  return model.state.name === name ? { model, effects: [] } : enter(model, { name }, at);
}

function enter(model: SessionModel, state: SessionState, { nowMs }: Surroundings): Step {
  return { model: { ...model, state, sinceMs: nowMs }, effects: [] };
}
