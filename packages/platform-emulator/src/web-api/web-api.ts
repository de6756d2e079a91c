import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import { answerHttp, type HttpAnswer } from '../faults/answer-http.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { RequestRecord } from '../record/request-record.ts';
import type { Certificates } from '../transport/certificates.ts';

export interface WebRequest {
  readonly url: URL;
  readonly method: string;
  readonly body: string;
  /** An EResult that a fault asks for instead of the answer. */
  readonly eresult?: number;
}

/** Undefined means that the path is not this route's. */
export type WebRoute = (request: WebRequest) => HttpAnswer | undefined;

export interface WebApiParts {
  readonly certificates: Certificates;
  readonly routes: readonly WebRoute[];
  readonly faults: FaultPlan;
  readonly record: RequestRecord;
  readonly now: () => number;
}

/** The TLS server behind the proxy: web API and, by upgrade, the connection manager. */
export function webApiServer(parts: WebApiParts): Server {
  const { certPem, keyPem } = parts.certificates;
  return createServer({ cert: certPem, key: keyPem }, (request, response) => {
    // A client may hang up in the middle of its own request.
    answer(parts, request, response).catch(() => response.destroy());
  });
}

async function answer(parts: WebApiParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = request.headers.host ?? '';
  const facts = { kind: 'web-api', host, path: request.url ?? '/' } as const;
  const entry = parts.record.add(facts);
  const fault = parts.faults.decide(facts);
  const webRequest: WebRequest = {
    url: new URL(facts.path, `https://${host}`),
    method: request.method ?? 'GET',
    body: await text(request),
    ...(fault.eresult === undefined ? {} : { eresult: fault.eresult }),
  };
  const found = route(parts.routes, webRequest);
  const headers = { date: new Date(parts.now()).toUTCString(), ...found.headers };
  await answerHttp(response, { ...found, headers }, fault, entry);
  parts.record.finish(entry);
}

function route(routes: readonly WebRoute[], request: WebRequest): HttpAnswer {
  for (const each of routes) {
    const answered = each(request);
    if (answered !== undefined) return answered;
  }
  return { status: 404 };
}
