import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { GameUpdate } from '@steward/shared/sidecar/game-update';
import { type SessionStatus, type SidecarHealth, sidecarHealth } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/timestamp';

/** Liveness: 200 whenever the process can answer. What is wrong with the session stands in the body. */
export function healthRoute(server: HttpServer, parts: HealthParts): void {
  server.get('/health', { schema: { response: { 200: sidecarHealth } } }, async () => healthOf(parts));
}

export interface HealthParts {
  readonly sessionStatus: () => SessionStatus;
  /** As it is known without a look at the disk, which may hang. */
  readonly gameUpdate: () => GameUpdate | undefined;
  readonly now: () => Date;
}

export function healthOf({ sessionStatus, gameUpdate, now }: HealthParts): SidecarHealth {
  const session = sessionStatus();
  const update = gameUpdate();
  return {
    status: 'ok',
    logged_in: session.state === 'logged-in',
    timestamp: timestampOf(now()),
    session,
    ...(update === undefined ? {} : { game_update: update }),
  };
}
