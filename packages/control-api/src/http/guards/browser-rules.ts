import type { HttpServer } from '@steward/service-kit/http/http-server';
import { capital } from '@steward/shared/capital';
import { Problem } from '@steward/shared/problems/problem';
import { type BrowserRules, whyRefused } from './origin.ts';

/** What protects a server that asks for no key from the pages that its users visit. */
export function refuseOtherSites(server: HttpServer, rules: BrowserRules): void {
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const why = whyRefused(
      {
        host: headers.host,
        origin: headers.origin,
        fetchSite: single(headers['sec-fetch-site']),
        fetchMode: single(headers['sec-fetch-mode']),
      },
      rules,
    );
    if (why === undefined) done();
    else done(new Problem('cross-site-request', capital(why)));
  });
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join() : header;
}
