import { problemAnswer } from '@steward/control-api/http/openapi/route-schema';
import { exitCodeRows } from '@steward/platform-auth/commands/run/exit-codes';
import { waits } from '@steward/platform-auth/platform/backoff';
import type { FailureClass } from '@steward/platform-auth/platform/failure';
import { failureTable } from '@steward/platform-auth/platform/failure-table';
import { loginRefusals } from '@steward/platform-auth/platform/library/steam-login';
import { newCredentials, waitingRemedies } from '@steward/platform-auth/session/session-words';
import { tooSoon } from '@steward/platform-auth/tickets/app-tickets';
import { type ProblemCode, problemCodes } from '@steward/shared/problems/problem-codes';
import { asCode, type Places, table } from './places.ts';

const minuteMs = 60_000;

/** Those of the problem codes that the sidecar answers with. */
export const codesOfTheSidecar: readonly ProblemCode[] = [
  'unauthorized',
  'cross-site-request',
  'not-owned',
  'platform-unavailable',
  'download-off',
  'download-under-way',
  'game-files-missing',
  'nothing-staged',
  'publication-failed',
  'missing-parameter',
  'invalid-parameter',
  'malformed-request',
  'not-found',
  'method-not-allowed',
  'unknown-method',
  'request-timeout',
  'request-too-large',
  'expectation-failed',
  'shutting-down',
  'internal-error',
];

export const errorPlaces: Places = {
  'problem codes': codeTable(Object.keys(problemCodes) as ProblemCode[]),
  'members of a problem': table(
    ['Member', 'There', 'What it says'],
    Object.entries(problemAnswer.shape).map(([name, schema]) => [
      asCode(name),
      schema.isOptional() ? 'sometimes' : 'always',
      schema.description,
    ]),
  ),
};

export const exitCodePlaces: Places = {
  'exit codes': table(
    ['Code', 'Meaning', 'What to do'],
    exitCodeRows.map(({ code, meaning, remedy }) => [code, meaning, remedy]),
  ),
};

const resultHead = ['What it says', 'Result', 'How to fix it'];

export const sidecarErrorPlaces: Places = {
  'new credentials': [
    `- ${newCredentials['saved-session']}.`,
    `- PLATFORM_REFRESH_TOKEN: ${newCredentials['environment-token']}.`,
    `- PLATFORM_PASSWORD: ${newCredentials.password}.`,
  ].join('\n'),
  'results of a refused credential': resultTable('dead-credential'),
  'wait after too many logins': minutes(waits['rate-limited'].firstMs),
  'remedy of too many logins': waitingRemedies['rate-limited'],
  'words about too many tickets': `${tooSoon.reason}. ${tooSoon.remedy}`,
  'results of too many logins': resultTable('rate-limited'),
  'wait for another program': minutes(waits.replaced.firstMs),
  'remedy of another program': waitingRemedies.replaced,
  'results of another program': resultTable('replaced'),
  'remedy of a failure': waitingRemedies.transient,
  'longest wait': minutes(waits.transient.longestMs * (1 + waits.transient.jitter)),
  'results of a failure': resultTable('transient'),
  'results at a login': table(
    resultHead,
    Object.entries(loginRefusals).map(([code, { reason, remedy }]) => [
      reason,
      code,
      remedy ?? 'as where a credential is refused',
    ]),
  ),
  'problem codes': codeTable(codesOfTheSidecar),
};

function codeTable(codes: readonly ProblemCode[]): string {
  return table(
    ['Status', 'Code', 'Meaning'],
    codes.map((code) => [problemCodes[code].status, asCode(code), problemCodes[code].title]),
  );
}

function resultTable(name: FailureClass): string {
  const rows = Object.entries(failureTable)
    .filter(([, row]) => row.class === name)
    .map(([code, row]) => [`${row.reason} (${row.name})`, code, row.remedy ?? 'as above']);
  return table(resultHead, rows);
}

function minutes(ms: number): string {
  return ms === minuteMs ? 'a minute' : `${ms / minuteMs} minutes`;
}
