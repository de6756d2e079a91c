import type { HttpServer } from '@steward/service-kit/http/http-server';
import { changesSomething } from '../parameters/validator.ts';
import { type AttemptLimit, Attempts } from './attempts.ts';
import { clientOf } from './client-address.ts';
import { tooMany } from './too-many.ts';

/** Writes from one address: far more than a person or a bot does, far fewer than would hold up a game. */
export const writeLimit: AttemptLimit = { attempts: 120, windowMs: 60_000 };

export function limitWrites(server: HttpServer, limit: AttemptLimit, now: () => number): void {
  const writes = new Attempts(limit, now);
  server.addHook('onRequest', (request, _reply, done) => {
    if (!changesSomething(request.method) || request.is404) return done();
    const waitSeconds = writes.count(clientOf(request.ip));
    if (waitSeconds === undefined) done();
    else done(tooMany('writes', waitSeconds));
  });
}
