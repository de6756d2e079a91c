import { isIP } from 'node:net';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest } from 'fastify';

/** Nobody can register a name below these on the internet, so no stranger points one at this service. */
const privateEndings = ['.localhost', '.local', '.internal', '.home.arpa', '.lan', '.svc'];

const port = /:\d*$/;

/**
 * Refuses what a web page can have its visitor's browser send; no program that uses this service is one. The two headers tell of a
 * browser. Over plain http a read of the page's own site has neither, so that a page whose name is rebound to this address is only known
 * by that name: in `Host`, which no page can choose. With the secret, any name will do, as no page knows it.
 */
export function refuseBrowsers(server: HttpServer, hasSecret: (request: FastifyRequest) => boolean): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { host, origin, 'sec-fetch-site': site } = request.headers;
    if (origin !== undefined || site !== undefined) return done(fromBrowser());
    if (host === undefined || isPrivateName(host) || hasSecret(request)) return done();
    done(byPublicName());
  });
}

/** Whether a request's `Host` is an address, or a name that only a private network knows. */
function isPrivateName(host: string): boolean {
  const name = host.replace(port, '').replace(/\.$/, '').toLowerCase();
  if (!name.includes('.') || name.startsWith('[') || isIP(name) !== 0) return true;
  return privateEndings.some((ending) => name.endsWith(ending));
}

function fromBrowser(): Problem {
  return new Problem(
    'cross-site-request',
    'Browsers may not use this service: otherwise, any web page could. Use a program such as curl',
  );
}

function byPublicName(): Problem {
  return new Problem(
    'cross-site-request',
    `Without the secret, this service does not answer under a public name. Use its IP address, a name without dots or one that ends in ${privateEndings.join(', ')}; or set PLATFORM_AUTH_SECRET and send it`,
  );
}
