import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import type { Mood } from '@steward/testing/game/command-runner';
import { handedOver } from './handed-over.ts';
import { type Ask, openApi, type StageOptions } from './open-api.ts';
import { keysForQueries } from './operations.ts';

type Api = Awaited<ReturnType<typeof openApi>>;
type Answer = Awaited<ReturnType<Api['ask']>>;
/** An id that is the same each time. */
const namedKey = {
  ...keysForQueries,
  leftKeys: [{ name: 'bot', scopes: ['chat'], id: 'key_5b1f0c9a7d24' }],
} as const;

/** Gives a stage that nobody changes, so that others may be given it, too: to begin takes a stage longer than to refuse. */
type SharedStage = (options: StageOptions) => Promise<Api>;

type Fails = (shared: SharedStage) => Promise<Answer>;

const plain: StageOptions = {};

/** So that the same failure is the same text each time. */
const headers = { 'x-request-id': '8e03978e-40d5-43e8-bc93-6894a57f9324' };

/** How each error comes about that a client can bring about, or a game. */
export const failures: Partial<Record<ProblemCode, Fails>> = {
  'missing-parameter': asked('POST', '/time'),
  'invalid-parameter': asked('POST', '/time?value=noon'),
  'unknown-parameter': asked('POST', '/time?value=1200&day=3'),
  'conflicting-parameters': asked('DELETE', '/farmhands?name=Bob&playerId=42'),
  'unexpected-body': asked('POST', '/time?value=1200', { body: '{"value":1200}' }),
  'expectation-failed': asked('GET', '/status', { headers: { ...headers, expect: 'the best' } }),
  unauthorized: asked('GET', '/status', { key: null }, { key: 'k3y' }),
  'key-ended': async () => {
    await using api = await openApi(keysForQueries);
    await api.ask('DELETE', '/keys?name=bot');
    return await api.ask('GET', '/status', { headers, key: api.secretOf('bot') });
  },
  'cross-site-request': asked('POST', '/time?value=1200', {
    headers: { ...headers, origin: 'https://elsewhere.example' },
  }),
  'player-not-found': begun('POST', '/roles/admin?name=Zoe'),
  'farmhand-not-found': begun('DELETE', '/farmhands?name=Zoe'),
  'operation-not-found': asked('GET', '/operations/5'),
  'farmhand-online': begun('DELETE', '/farmhands?name=Ann'),
  'players-online': begun('POST', '/save'),
  'farm-not-found': asked('POST', '/farms/load?id=Riverbend_1', {}, keysForQueries),
  'player-offline': begun('POST', '/players/kick?name=Bob'),
  'ban-not-found': asked('DELETE', '/bans?identity=46265193014'),
  'ban-needs-force': asked('POST', '/bans?address=192.168.1.5'),
  'ambiguous-name': begun('DELETE', '/farmhands?name=kim'),
  'upgrade-required': asked('GET', '/ws'),
  'not-supported-by-game': asked('POST', '/time?value=1200', {}, { capabilities: [] }),
  'game-unavailable': asked('POST', '/time?value=1200', {}, { game: false }),
  'command-failed': treated({ refuses: 'failed', message: 'The game could not set the time' }),
  'command-void': treated('silent'),
  'outcome-unknown': treated('claims-and-is-silent'),
  'idempotency-key-reused': twice('POST', '/time?value=1200', '/time?value=1300'),
  'insufficient-scope': async () => {
    await using api = await openApi(keysForQueries);
    return await api.ask('POST', '/time?value=1200', { headers, key: api.secretOf('bot') });
  },
  'key-not-found': asked('DELETE', '/keys?name=status+page', {}, keysForQueries),
  'key-name-taken': asked('POST', '/keys?name=Bot&scopes=read', {}, namedKey),
  'webhook-not-found': asked('DELETE', '/webhooks?name=our+channel', {}, keysForQueries),
  'webhook-name-taken': asked(
    'POST',
    '/webhooks?url=https://hooks.example/1&name=Friends&topics=farm',
    {},
    keysForQueries,
  ),
  'webhook-url-refused': asked(
    'POST',
    '/webhooks?url=https://10.0.0.7/&name=ours&topics=farm',
    {},
    keysForQueries,
  ),
  'schedule-not-found': asked('DELETE', '/schedules?name=nightly', {}, keysForQueries),
  'schedule-name-taken': asked(
    'POST',
    '/schedules?name=Hourly&action=save&cron=0+5+*+*+*',
    {},
    keysForQueries,
  ),
  'backups-off': asked('POST', '/backups'),
  'backup-not-found': asked('DELETE', '/backups?id=20261119T220000Z-0b51e2', {}, keysForQueries),
  'keys-need-api-key': asked('POST', '/keys?name=bot&scopes=chat'),
};

/** What is refused only once it has begun: each is the first operation of its stage. */
function begun(method: 'POST' | 'DELETE', url: string): Fails {
  return async () => {
    await using api = await openApi();
    return await api.ask(method, url, { headers });
  };
}

function asked(method: 'GET' | 'POST' | 'DELETE', url: string, ask: Ask = {}, options = plain): Fails {
  return async (shared) => await (await shared(options)).ask(method, url, { headers, ...ask });
}

/** What becomes of a command with a farm in this mood, once everybody has waited as long as they do for one that is silent. */
function treated(mood: Mood): Fails {
  return async () => {
    await using api = await openApi();
    api.farm.mood = mood;
    const asking = api.ask('POST', '/time?value=1200', { headers });
    if (typeof mood === 'string') {
      await handedOver(api.farm);
      api.clock.advance(10_000);
    }
    return await asking;
  };
}

function twice(method: 'POST', first: string, second: string): Fails {
  return async () => {
    await using api = await openApi();
    const key = { ...headers, 'idempotency-key': 'k-1' };
    await api.ask(method, first, { headers: key });
    return await api.ask(method, second, { headers: key });
  };
}
