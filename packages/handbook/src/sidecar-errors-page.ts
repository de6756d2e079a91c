import { waits } from '@steward/platform-auth/platform/backoff';
import type { FailureClass } from '@steward/platform-auth/platform/failure';
import { failureTable } from '@steward/platform-auth/platform/failure-table';
import { loginRefusals } from '@steward/platform-auth/platform/steam-login';
import { newCredentials, waitingRemedies } from '@steward/platform-auth/session/session-words';
import { tooSoon } from '@steward/platform-auth/tickets/app-tickets';
import { type ProblemCode, problemCodes } from '@steward/shared/problems/problem-codes';

const minuteMs = 60_000;

/** The classes in the order in which an operator is likely to meet them. */
const classes: readonly { name: FailureClass; title: string; about: string }[] = [
  {
    name: 'dead-credential',
    title: 'The credential is refused',
    about: `Trying it again cannot help, so it is not tried again. The next credential is: PLATFORM_REFRESH_TOKEN, then the saved session,
then PLATFORM_PASSWORD. When all that are there were refused, \`/health\` says \`credentials-refused\` and the sidecar waits for a
new one. What brings it, where the table says nothing else:

- ${newCredentials['saved-session']}.
- PLATFORM_REFRESH_TOKEN: ${newCredentials['environment-token']}.
- PLATFORM_PASSWORD: ${newCredentials.password}.

A command that was run by hand says "run it again" in the place of "restart".`,
  },
  {
    name: 'rate-limited',
    title: 'Too many logins',
    about: `The sidecar waits ${minutes('rate-limited')} or more before it tries again; \`/health\` says when. ${waitingRemedies['rate-limited']}.

Where an app ticket was asked for, LimitExceeded is about tickets, not logins: "${tooSoon.reason}. ${tooSoon.remedy}".`,
  },
  {
    name: 'replaced',
    title: 'Another program took the session',
    about: `The sidecar waits ${minutes('replaced')} or more, and does not fight. ${waitingRemedies.replaced}.`,
  },
  {
    name: 'transient',
    title: 'The platform or the network failed',
    about: `${waitingRemedies.transient}, a second later at first and at least every ${minutes('transient', 'longest')} in the end. A code that is in no table
here counts as one of these. When it stays so, \`doctor\` says where the way to the platform ends.`,
  },
];

/** Those that the sidecar answers with. */
const codesOfTheSidecar: readonly ProblemCode[] = [
  'unauthorized',
  'not-owned',
  'platform-unavailable',
  'invalid-parameter',
  'malformed-request',
  'not-found',
  'method-not-allowed',
  'request-timeout',
  'request-too-large',
  'shutting-down',
  'internal-error',
];

export function sidecarErrorsPage(): string {
  return `# What the sidecar’s errors mean

Why the platform refused a login or ended a session, what the sidecar does then, and what mends it. The words are those of the
log, of \`/health\`, of the commands and of \`doctor\`; in brackets stands the platform’s own name of the result. This page is made
from the tables that the sidecar itself uses. [The sidecar](sidecar.md) says how it is run.

${classes.map(section).join('\n\n')}

## A login by name, password or QR code is refused

Here a result means something else than where a token is used. Every other one means what stands above.

| What it says | Result | What mends it |
| --- | --- | --- |
${Object.entries(loginRefusals)
  .map(
    ([code, { reason, remedy }]) =>
      `| ${reason} | ${code} | ${remedy ?? 'as where a credential is refused'} |`,
  )
  .join('\n')}

## Answers of its HTTP API

[The sidecar’s HTTP API](sidecar-api.md) says when each comes; the body says what went wrong this time.
The key that \`unauthorized\` speaks of is \`PLATFORM_AUTH_SECRET\` here.

| Status | Code | Meaning |
| --- | --- | --- |
${codesOfTheSidecar.map((code) => `| ${problemCodes[code].status} | \`${code}\` | ${problemCodes[code].title} |`).join('\n')}
`;
}

function section({ name, title, about }: (typeof classes)[number]): string {
  const rows = Object.entries(failureTable)
    .filter(([, row]) => row.class === name)
    .map(([code, row]) => `| ${row.reason} (${row.name}) | ${code} | ${row.remedy ?? 'as above'} |`);
  return `## ${title}

${about}

| What it says | Result | What mends it |
| --- | --- | --- |
${rows.join('\n')}`;
}

function minutes(name: keyof typeof waits, which: 'first' | 'longest' = 'first'): string {
  const { firstMs, longestMs, jitter } = waits[name];
  const ms = which === 'first' ? firstMs : longestMs * (1 + jitter);
  return `${ms / minuteMs} minutes`;
}
