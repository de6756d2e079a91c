import { type Clock, settledWithin } from '@steward/service-kit/clock';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { infoLabels, infoMetric } from '@steward/service-kit/process/info-metric';
import { createProcessMetrics } from '@steward/service-kit/process/process-metrics';
import { type MeasuredRow, oneOf, readWhenAsked } from '@steward/service-kit/process/read-when-asked';
import { type DownloadAnswer, downloadState, gameUpdateState } from '@steward/shared/sidecar/download';
import { type SessionStatus, sessionState } from '@steward/shared/sidecar/health';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type FailureClass, failureClasses } from '../platform/failure.ts';
import { type TicketOutcome, ticketOutcomes } from '../tickets/app-tickets.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly loginAttempted: () => void;
  readonly sessionFailed: (failureClass: FailureClass) => void;
  readonly ticketCounted: (outcome: TicketOutcome) => void;
  readonly lobbyOpened: () => void;
  readonly leakContained: () => void;
  readonly downloadFetched: (bytes: number) => void;
  readonly downloadFailed: () => void;
}

export interface Measured {
  readonly instance: string;
  readonly version: string;
  readonly sessionStatus: () => SessionStatus;
  readonly isContended: () => boolean;
  readonly gameFiles: () => Promise<DownloadAnswer>;
  readonly clock: Pick<Clock, 'after'>;
}

/** A disk that takes longer costs the metrics of it, and not the whole page, which would look like a service that is down. */
const diskMs = 2_000;

/** What an operator's dashboard reads. No label ever says whose account it is. */
export function createMetrics(measured: Measured): Metrics {
  const { instance, version, sessionStatus, isContended, clock } = measured;
  const registry = createProcessMetrics();
  const registers = [registry];
  new Gauge({ ...infoMetric, registers }).set(infoLabels(instance, version), 1);
  const { gauge, gaugeBy } = readWhenAsked(registry);
  const ofGameFiles = (rows: (answer: DownloadAnswer) => readonly MeasuredRow[]) => {
    const answer = settledWithin(measured.gameFiles(), diskMs, clock, () => new Error('the disk hangs'));
    return answer.then(rows, () => []);
  };
  gaugeBy(
    'steward_platform_session_state',
    '1 for the current state of the platform session, 0 for the others',
    ['state'],
    () => oneOf(sessionState.options, sessionStatus().state),
  );
  gauge('steward_platform_account_contended', '1 while another program uses the same platform account', () =>
    Number(isContended()),
  );
  gauge(
    'steward_platform_token_days_remaining',
    'Days until the refresh token in use expires; absent while there is none',
    () => sessionStatus().token_days_remaining,
  );
  gaugeBy(
    'steward_platform_game_files_state',
    '1 for the current state of the game files, 0 for the others',
    ['state'],
    () => ofGameFiles(({ state }) => oneOf(downloadState.options, state)),
  );
  gaugeBy(
    'steward_platform_game_update_state',
    '1 for whether the platform has another build of the game; 0 for all while the files are incomplete',
    ['state'],
    () => ofGameFiles(({ update }) => oneOf(gameUpdateState.options, update?.state)),
  );
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const attempts = counter('steward_platform_login_attempts_total', 'Started logins');
  const failures = counter(
    'steward_platform_session_failures_total',
    'Refused logins and lost sessions, by class',
    ['class'],
  );
  // Each is there from the start, so that the first of its kind is seen as one.
  for (const failureClass of failureClasses) failures.inc({ class: failureClass }, 0);
  const tickets = counter(
    'steward_platform_ticket_requests_total',
    'Requests for an app ticket, by outcome',
    ['outcome'],
  );
  for (const outcome of ticketOutcomes) tickets.inc({ outcome }, 0);
  const lobbies = counter(
    'steward_platform_lobbies_opened_total',
    'Lobbies that were created on the platform',
  );
  const leaks = counter(
    'steward_platform_library_errors_total',
    'Errors that escaped the platform libraries and were contained',
  );
  const fetched = counter(
    'steward_platform_download_bytes_total',
    'Bytes of the game that were downloaded, as on the disk',
  );
  const failedDownloads = counter(
    'steward_platform_download_failures_total',
    'Background downloads that failed and are retried',
  );
  return {
    registry,
    loginAttempted: () => attempts.inc(),
    sessionFailed: (failureClass) => failures.inc({ class: failureClass }),
    ticketCounted: (outcome) => tickets.inc({ outcome }),
    lobbyOpened: () => lobbies.inc(),
    leakContained: () => leaks.inc(),
    downloadFetched: (bytes) => fetched.inc(bytes),
    downloadFailed: () => failedDownloads.inc(),
  };
}

export function metricsRoute(server: HttpServer, registry: Registry): void {
  server.get('/metrics', async (_request, reply) => {
    const page = await registry.metrics();
    return reply.type(registry.contentType).header('cache-control', 'no-store').send(page);
  });
}
