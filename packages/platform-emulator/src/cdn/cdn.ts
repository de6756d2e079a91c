import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '@steward/service-kit/http/node-http';
import { answerHttp, type HttpAnswer } from '../faults/answer-http.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { RequestFacts, RequestRecord } from '../record/request-record.ts';
import { loopback } from '../transport/addresses.ts';
import { answerContent, type ContentSource } from './answer-content.ts';
import type { CdnHostPlan } from './cdn-host-plan.ts';

/** The content servers of one platform. */
export class Cdn implements AsyncDisposable {
  readonly hosts: readonly CdnHost[];

  private constructor(hosts: readonly CdnHost[]) {
    this.hosts = hosts;
  }

  static async start(plans: readonly CdnHostPlan[], surroundings: CdnSurroundings): Promise<Cdn> {
    return new Cdn(await Promise.all(plans.map((plan) => CdnHost.start(plan, surroundings))));
  }

  host(name: string): CdnHost {
    const found = this.hosts.find((host) => host.plan.name === name);
    if (found !== undefined) return found;
    const names = this.hosts.map((host) => host.plan.name).join(', ');
    throw new Error(`no content server is called "${name}"; there are ${names}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.hosts.map((host) => host[Symbol.asyncDispose]()));
  }
}

// TCP port 2 of loopback: nothing listens there, and nothing without privileges could. (Port 1 is one that
// `fetch` refuses of its own accord.)
const refusingAddress = '127.0.0.1:2';

interface CdnSurroundings {
  readonly source: ContentSource;
  readonly faults: FaultPlan;
  readonly record: RequestRecord;
  /** What clients call this machine, when they reach it through the proxy. */
  readonly name?: string;
}

/** One content server, on a free loopback port unless it is dead. */
export class CdnHost implements AsyncDisposable {
  readonly plan: CdnHostPlan;
  /** `<name>:<port>`, as the server list names it. */
  readonly address: string;
  readonly #server: Server | undefined;

  private constructor(plan: CdnHostPlan, address: string, server?: Server) {
    this.plan = plan;
    this.address = address;
    this.#server = server;
  }

  static async start(plan: CdnHostPlan, surroundings: CdnSurroundings): Promise<CdnHost> {
    if (plan.dead === true) return new CdnHost(plan, refusingAddress);
    const server = createServer((request, response) => {
      // A client that goes away in the middle of an answer is its own affair.
      response.on('error', () => response.destroy());
      void serve(request, response, plan, surroundings);
    });
    server.listen(0, loopback);
    await once(server, 'listening');
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('a content server got no TCP port');
    return new CdnHost(plan, `${surroundings.name ?? loopback}:${bound.port}`, server);
  }

  /** Stops listening and drops every connection, also in the middle of a chunk. */
  async [Symbol.asyncDispose](): Promise<void> {
    const server = this.#server;
    if (server?.listening !== true) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  plan: CdnHostPlan,
  { source, faults, record }: CdnSurroundings,
): Promise<void> {
  const path = request.url ?? '/';
  const facts: RequestFacts = {
    // The record knows two kinds of content requests; a path that is neither counts as a chunk's.
    kind: path.includes('/manifest/') ? 'manifest' : 'chunk',
    host: request.headers.host ?? '',
    path,
  };
  const entry = record.add(facts);
  try {
    await answerHttp(response, answer(request.method, facts, plan, source), faults.decide(facts), entry);
  } finally {
    record.finish(entry);
  }
}

function answer(
  method: string | undefined,
  facts: RequestFacts,
  plan: CdnHostPlan,
  source: ContentSource,
): HttpAnswer {
  if (method !== 'GET') return { status: 405, headers: { allow: 'GET' } };
  return answerContent(facts, plan, source);
}
