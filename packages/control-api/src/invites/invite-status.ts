import { type InviteStep, type StepName, stepNames } from '@steward/shared/api/answers/readiness';
import type { GameUpdate } from '@steward/shared/sidecar/download';
import type { Contention } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/wire-values';
import { codesOf, type InviteCodes, type InviteFacts } from './facts.ts';
import { findOfSelfHosted } from './findings.ts';
import { type StepFinding, transitions } from './step-finding.ts';
import { steps } from './steps.ts';

/** Where each step stands and which codes there are now, an immutable whole: another object means that something has changed. */
export interface InviteStatus {
  readonly steps: readonly InviteStep[];
  readonly codes: InviteCodes;
  /** What the sidecar said last of the game's files; undefined where it says nothing. */
  readonly gameUpdate?: GameUpdate;
  /** While another program uses the platform account. */
  readonly contended?: Contention;
}

export const noSidecar = 'PLATFORM_AUTH_URL is empty: without a sidecar there are no invite codes';
const setUrl = 'Set PLATFORM_AUTH_URL to get invite codes';

/** What the facts make of it, after what it was. Equal to before, it is the same object. */
export function inviteStatusOf(
  facts: InviteFacts,
  before: InviteStatus | undefined,
  now: Date,
): InviteStatus {
  const found = new Map<StepName, InviteStep>();
  for (const [index, step] of stepNames.entries()) {
    const past = before?.steps[index];
    const { kind, ...words } = withNeeds(step, facts, found);
    const state = transitions[past?.state ?? 'waiting'][kind];
    const since = past?.state === state ? past.since : timestampOf(now);
    found.set(step, { step, state, ...words, since });
  }
  const health = facts.sidecar?.health;
  const contended = health?.ok === true ? health.value.contended : undefined;
  const gameUpdate = health?.ok === true ? health.value.game_update : before?.gameUpdate;
  const after: InviteStatus = {
    steps: [...found.values()],
    codes: codesOf(facts),
    ...(gameUpdate === undefined ? {} : { gameUpdate }),
    ...(contended === undefined ? {} : { contended }),
  };
  return before !== undefined && isSame(before, after) ? before : after;
}

/** What already holds, holds. Anything else is not begun before what it needs, and cannot be had without a sidecar. */
function withNeeds(
  step: StepName,
  facts: InviteFacts,
  found: ReadonlyMap<StepName, InviteStep>,
): StepFinding {
  const { selfHosted } = facts.bridge;
  if (selfHosted !== undefined) return findOfSelfHosted(step, selfHosted, facts);
  const { needs, find } = steps[step];
  const finding = find(facts);
  if (finding.kind === 'ok') return finding;
  if (facts.sidecar === undefined) return { kind: 'off', reason: noSidecar, remedy: setUrl };
  const missing = needs.find((need) => found.get(need)?.state !== 'ok');
  if (missing === undefined || finding.kind === 'waiting') return finding;
  return { kind: 'waiting', reason: `Waits for ${steps[missing].title}` };
}

/** Why one of these does not hold: the step where the chain of waiting begins. */
export function rootOf(status: InviteStatus, names: readonly StepName[]): InviteStep | undefined {
  const missing = status.steps.find(({ step, state }) => names.includes(step) && state !== 'ok');
  if (missing?.state !== 'waiting') return missing;
  return rootOf(status, steps[missing.step].needs) ?? missing;
}

function isSame(before: InviteStatus, after: InviteStatus): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
