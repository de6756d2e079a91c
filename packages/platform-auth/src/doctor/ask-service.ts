import { urlHere } from '@steward/service-kit/http/here';
import { z } from 'zod';
import type { PlatformAuthConfiguration } from '../configuration.ts';
import { failed, type Result } from './finding.ts';

/** Longer than any route takes. */
const answerLimitMs = 12_000;
const ok = 200;
const unauthorized = 401;

/** Of a problem, what the service words itself. */
const problem = z.object({ reason: z.string().optional(), error: z.string() });

type Asked = { readonly body: unknown } | Result<never>;

/** Asks the running service, as the game server would; anything but 200 is a finding. */
export async function askService(configuration: PlatformAuthConfiguration, path: string): Promise<Asked> {
  const { HOST, PORT, PLATFORM_AUTH_SECRET: secret } = configuration;
  const answer = await fetch(`${urlHere(HOST, PORT)}${path}`, {
    headers: secret === undefined ? {} : { authorization: `Bearer ${secret.reveal()}` },
    signal: AbortSignal.timeout(answerLimitMs),
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status === ok) return { body };
  if (answer.status === unauthorized)
    return failed(
      'failure',
      'the service refuses this PLATFORM_AUTH_SECRET',
      'Run the doctor with the same environment as the service',
    );
  const read = problem.safeParse(body);
  const why = read.success ? (read.data.reason ?? read.data.error) : String(answer.status);
  return failed('network', `the service says: ${why}`, 'Its log says more');
}
