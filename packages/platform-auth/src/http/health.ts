import type { HttpServer } from '@steward/service-kit/http/http-server';
import { sidecarHealth } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/timestamp';
import type { SessionStatus } from '../session/session-status.ts';

/** Liveness: 200 whenever the process can answer. What is wrong with the session stands in the body. */
export function healthRoute(server: HttpServer, sessionStatus: () => SessionStatus, now: () => Date): void {
  server.get('/health', { schema: { response: { 200: sidecarHealth } } }, async () => ({
    status: 'ok' as const,
    logged_in: false,
    timestamp: timestampOf(now()),
    session: sessionStatus(),
  }));
}
