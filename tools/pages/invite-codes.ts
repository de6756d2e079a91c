import { recoversWithinMs, withdrawnWithinMs } from '@steward/control-api/invites/limits';
import { type FindingKind, findingKinds, transitions } from '@steward/control-api/invites/step-finding';
import { steps } from '@steward/control-api/invites/steps';
import { type StepName, type StepState, stepNames, stepStates } from '@steward/shared/api/answers/readiness';
import { asCode, type Places, table } from './places.ts';

const start = 'waiting' satisfies StepState;

const findingWords: Readonly<Record<FindingKind, string>> = {
  off: 'nobody here sees to it',
  waiting: 'a step before it is not ok',
  working: 'it is under way',
  ok: 'it holds',
  failing: 'it went wrong',
};

const stateWords: Readonly<Record<StepState, string>> = {
  off: 'not seen to here: `PLATFORM_AUTH_URL` is empty, or with `GAME_BRIDGE=existing` that server does it itself; `reason` says which',
  waiting: 'something before it has to come first; `reason` says what',
  working: 'under way for the first time',
  ok: 'done, and it holds',
  failed: 'it failed, and is tried again; `remedy` says how to fix it, `nextRetry` when it is tried next',
  lost: 'it held, and is being brought back',
};

/** The tables that the machine runs on, and pictures of them. */
export const inviteCodePlaces: Places = {
  'picture of the steps': mermaid(wayDiagram()),
  steps: table(
    ['Step', 'It is ok when', 'What the control API does for it', 'What ends it'],
    stepNames.map((step) => [asCode(step), steps[step].okWhen, steps[step].does, steps[step].lostBy]),
  ),
  'time to withdraw a code': `${withdrawnWithinMs / 1_000} seconds`,
  'time to recover': `${recoversWithinMs / 1_000} seconds`,
  'picture of the states': mermaid(stateDiagram()),
  states: table(
    ['State', 'Meaning'],
    stepStates.map((state) => [asCode(state), stateWords[state]]),
  ),
};

function mermaid(lines: readonly string[]): string {
  return ['```mermaid', ...lines, '```'].join('\n');
}

function wayDiagram(): string[] {
  const box = (step: StepName) => `step${stepNames.indexOf(step) + 1}`;
  const boxes = stepNames.map((step) => `  ${box(step)}["${step}<br/>${steps[step].title}"]`);
  const arrows = stepNames.flatMap((step) =>
    steps[step].needs.map((need) => `  ${box(need)} --> ${box(step)}`),
  );
  return ['flowchart LR', ...boxes, ...arrows];
}

/** One arrow for each pair of states, with everything that leads along it. */
function stateDiagram(): string[] {
  const states = stepStates.filter((state) => state !== 'off');
  const arrows = states.flatMap((from) =>
    states
      .filter((to) => to !== from)
      .flatMap((to) => {
        const found = findingKinds.filter((kind) => transitions[from][kind] === to);
        return found.length === 0
          ? []
          : [`  ${from} --> ${to}: ${found.map((kind) => findingWords[kind]).join(' or ')}`];
      }),
  );
  return ['stateDiagram-v2', `  [*] --> ${start}`, ...arrows];
}
