import type { Secret } from '@steward/service-kit/secret';
import type { AppTicketResult } from '@steward/shared/bridge/questions';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { problemSchema } from '@steward/shared/problems/problem';
import { appTicketAnswer } from '@steward/shared/sidecar/app-ticket';

/** Where the sidecar is, and what it wants to hear. */
export interface Sidecar {
  readonly url: URL;
  readonly secret: Secret | undefined;
}

/** Less than the ten seconds that a game waits for its answer. */
const answerLimitMs = 8_000;

/** Asks the sidecar for an app ticket. A refusal's reason is the sidecar's own, which says what mends it. */
export async function askForTicket({ url, secret }: Sidecar): Promise<Parsed<AppTicketResult>> {
  try {
    const answer = await fetch(new URL('platform/app-ticket', withSlash(url)), {
      headers: secret === undefined ? {} : { authorization: `Bearer ${secret.reveal()}` },
      signal: AbortSignal.timeout(answerLimitMs),
    });
    const body: unknown = await answer.json();
    if (!answer.ok) return refused(reasonIn(body) ?? `the sidecar answers ${answer.status}`);
    const ticket = appTicketAnswer.safeParse(body);
    if (!ticket.success) return refused('the sidecar’s answer is no ticket; is PLATFORM_AUTH_URL right?');
    return accepted({ ticket: ticket.data.app_ticket, platformId: ticket.data.platform_id });
  } catch (error) {
    return refused(`the sidecar at ${url.origin} does not answer: ${cause(error)}`);
  }
}

function reasonIn(body: unknown): string | undefined {
  const problem = problemSchema.safeParse(body);
  return problem.success ? problem.data.detail : undefined;
}

/** A path in the base URL is kept, as a proxy in front of the sidecar may need it. */
function withSlash(url: URL): URL {
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`);
}

function cause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
