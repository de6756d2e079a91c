import { systemClock } from '@steward/service-kit/clock';
import { heardHealth } from '@steward/shared/sidecar/health';
import { appTicketAnswer, heardLobby } from '@steward/shared/sidecar/platform';
import { damaged } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sidecarLimits } from './limits.ts';
import { askOnce } from './sidecar-request.ts';

const since = '2026-11-21T06:30:00.000Z';
const session = { state: 'logged-in', reason: 'r', since, token_days_remaining: 180, warnings: ['w'] };
const problem = {
  type: 'about:blank',
  title: 't',
  status: 503,
  detail: 'd',
  error: 'd',
  code: 'platform-unavailable',
};
const body = hostileJson(
  { status: 'ok', logged_in: true, timestamp: since, session },
  { app_ticket: 'dGlja2V0', platform_id: '76561198000000001' },
  {
    state: 'open',
    lobby_id: '109775241047609600',
    visibility: 'public',
    max_members: 8,
    metadata: { farm: 'Hill' },
    created: 1,
    since,
  },
  { ...problem, retry: true, reason: 'because', remedy: 'wait', request_id: 'r' },
  { ...problem, reason: 'r'.repeat(2_000), remedy: 'm'.repeat(2_000) },
).map((text) => Buffer.from(text));
const schemas = fc.constantFrom(heardHealth, appTicketAnswer, heardLobby);
const retryAfter = fc.oneof(
  fc.constantFrom('', '5', '-1', '1e308', '1e309', 'NaN', '0x10', since, '9'.repeat(400)),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
);

it(
  'a hostile sidecar’s answer is one of the schema, or a reason of bounded length',
  { timeout: 3_600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(body, damaged(body)),
        fc.constantFrom(200, 201, 400, 401, 404, 429, 500, 503),
        schemas,
        retryAfter,
        async (bytes, status, schema, retry) => {
          const answer = await withstandAsync(() =>
            askOnce<unknown>(
              { url: new URL('http://sidecar:3001/behind'), secret: undefined },
              { method: 'GET', path: 'health', schema },
              {
                ask: async () => ({ status, headers: { 'retry-after': retry }, text: bytes.toString() }),
                clock: systemClock,
                limitMs: 60_000,
                signal: new AbortController().signal,
              },
            ),
          );
          if (answer.ok) {
            expect(schema.safeParse(answer.value).success).toBe(true);
            return;
          }
          const { reason, remedy = '', retryAfterMs = 0 } = answer.refusal;
          expect(reason.length).toBeLessThanOrEqual(sidecarLimits.reasonCharacters);
          expect(remedy.length).toBeLessThanOrEqual(sidecarLimits.reasonCharacters);
          expect(retryAfterMs).toSatisfy((ms) => Number.isFinite(ms) && Number(ms) >= 0);
        },
      ),
      { numRuns: count({ small: 500, long: 50_000 }) },
    ),
);
