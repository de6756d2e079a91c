import type { HttpServer } from '@steward/service-kit/http/http-server';
import { uint64Text } from '@steward/shared/ids/id-text';
import { sidecarHealth } from '@steward/shared/sidecar/health';
import { z } from 'zod';
import { type HealthParts, healthOf } from '../http/health.ts';
import type { Login } from '../session/login.ts';
import { isPrivate } from './private-network.ts';

/** What the mod and its diagnostics look for beside our own fields. The id is, like a ticket, for private networks alone. */
const existingHealth = sidecarHealth.extend({
  accounts: z.array(z.object({ index: z.int(), logged_in: z.boolean(), steam_id: uint64Text.optional() })),
});

export interface ExistingHealthParts extends HealthParts {
  readonly login: () => Login | undefined;
}

/** `GET /health` as both know it; which account is asked for makes no difference where there is one. */
export function existingHealthRoute(server: HttpServer, parts: ExistingHealthParts): void {
  server.get('/health', { schema: { response: { 200: existingHealth } } }, async (request) => {
    const health = healthOf(parts);
    const steamId = isPrivate(request.socket.remoteAddress) ? parts.login()?.session.platformId : undefined;
    const account = {
      index: 0,
      logged_in: health.logged_in,
      ...(steamId === undefined ? {} : { steam_id: steamId }),
    };
    return { ...health, accounts: health.session.state === 'no-account' ? [] : [account] };
  });
}
