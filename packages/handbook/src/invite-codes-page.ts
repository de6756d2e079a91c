import { recoversWithinMs, withdrawnWithinMs } from '@steward/control-api/invites/limits';
import { type FindingKind, findingKinds, transitions } from '@steward/control-api/invites/step-finding';
import { steps } from '@steward/control-api/invites/steps';
import { type StepName, type StepState, stepNames, stepStates } from '@steward/shared/api/answers/readiness';

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
  failed: 'tried in vain, and tried again; `remedy` says what mends it, `nextRetry` when it is tried next',
  lost: 'it held, and is being brought back',
};

/** The page about the invite code's way, with pictures that are the machine's own tables. */
export function inviteCodesPage(): string {
  return `# The invite code's way

From the sidecar to a code that a player can type in it is eight steps. The control API watches them all, does what is missing,
and shows them as \`inviteWay\` in \`/status\` and \`/health/ready\`, each with its state, the reason, what mends it, since when, and
when it is tried next. [Players cannot join](players-cannot-join.md) says what to do about each. This page is made from the tables
that the machine runs on.

## The steps

An arrow leads from a step to those that cannot be begun before it. What already holds stays: the \`G\` code lives as long as the network lobby,
whatever happens to the sidecar.

\`\`\`mermaid
${wayDiagram()}
\`\`\`

| Step | It is ok when | What the control API does for it | What takes it away |
| --- | --- | --- | --- |
${stepNames.map((step) => `| \`${step}\` | ${steps[step].okWhen} | ${steps[step].does} | ${steps[step].lostBy} |`).join('\n')}

Both codes carry the network lobby's id; only their first letter differs. The \`G\` code works from the network lobby on, the \`S\` code once the
lobbies are linked. Each is shown for as long as it works: what the game tells counts at once, what the sidecar knows within
${withdrawnWithinMs / 1_000} seconds. Both lobbies are Public, whatever the game asks for. Once the sidecar is logged in and the game has its lobby, everything is ok within ${recoversWithinMs / 1_000} seconds.

## The states of a step

\`\`\`mermaid
${stateDiagram()}
\`\`\`

\`off\` is not in the picture: on a server without a sidecar every step is, but for those that the game can do by itself. With
\`GAME_BRIDGE=existing\` it is what lies between the existing server's sidecar and its codes; \`sidecar\` and \`login\` are, too, unless
\`PLATFORM_AUTH_URL\` leads to that sidecar.

| State | Meaning |
| --- | --- |
${stepStates.map((state) => `| \`${state}\` | ${stateWords[state]} |`).join('\n')}

## To watch

| Where | What |
| --- | --- |
| the log | a line for each step that becomes \`ok\`, \`failed\` or \`lost\`, and one whenever the codes change; the rest at \`LOG_LEVEL=debug\` |
| \`steward_invite_way_step_state{step,state}\` | 1 for the state that the step is in |
| \`steward_invite_way_transitions_total{step,state}\` | how often the step came into the state |
| \`steward_invite_code_works{prefix}\` | 1 while the code with this prefix works |
| \`steward_sidecar_request_duration_seconds{request,outcome}\` | every attempt to ask the sidecar |
| \`steward_sidecar_breaker_state{state}\`, \`steward_sidecar_breaker_opened_total\` | whether the sidecar is being left alone for a while because it did not answer |
`;
}

function wayDiagram(): string {
  const box = (step: StepName) => `step${stepNames.indexOf(step) + 1}`;
  const boxes = stepNames.map((step) => `  ${box(step)}["${step}<br/>${steps[step].title}"]`);
  const arrows = stepNames.flatMap((step) =>
    steps[step].needs.map((need) => `  ${box(need)} --> ${box(step)}`),
  );
  return ['flowchart LR', ...boxes, ...arrows].join('\n');
}

/** One arrow for each pair of states, with everything that leads along it. */
function stateDiagram(): string {
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
  return ['stateDiagram-v2', `  [*] --> ${start}`, ...arrows].join('\n');
}
