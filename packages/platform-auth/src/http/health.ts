import type { HttpServer } from '@steward/service-kit/http/http-server';
import { type SessionStatus, type SidecarHealth, sidecarHealth } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/timestamp';

/** Liveness: 200 whenever the process can answer. What is wrong with the session stands in the body. */
export function healthRoute(server: HttpServer, sessionStatus: () => SessionStatus, now: () => Date): void {
  server.get('/health', { schema: { response: { 200: sidecarHealth } } }, async () =>
    healthOf(sessionStatus(), now()),
  );
}

export function healthOf(session: SessionStatus, now: Date): SidecarHealth {
  return {
    status: 'ok',
    logged_in: session.state === 'logged-in',
    timestamp: timestampOf(now),
    session,
  };
}
