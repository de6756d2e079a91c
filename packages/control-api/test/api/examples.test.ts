import { stringifyExact } from '@steward/shared/json/exact';
import { expect, it } from 'vitest';
import { failures } from './stage/failures.ts';
import { openApi } from './stage/open-api.ts';

/** The requests whose answers the document shows, in an order in which each succeeds. */
const shown = [
  ['getHealth', 'GET', '/health'],
  ['getReadiness', 'GET', '/health/ready'],
  ['getStatus', 'GET', '/status'],
  ['listPlayers', 'GET', '/players'],
  ['getInviteCode', 'GET', '/invite-code'],
  ['listFarmhands', 'GET', '/farmhands'],
  ['getSettings', 'GET', '/settings'],
  ['listCabins', 'GET', '/cabins'],
  ['getRendering', 'GET', '/rendering'],
  ['getTime', 'GET', '/time'],
  ['getStats', 'GET', '/stats'],
  ['setRendering', 'POST', '/rendering?fps=5'],
  ['setTime', 'POST', '/time?value=1200'],
  ['grantAdmin', 'POST', '/roles/admin?name=Bob'],
  ['getOperation', 'GET', '/operations/1003'],
  ['rebindFarmhand', 'POST', '/farmhands/rebind?name=Bob&identity=46265193014'],
  ['releaseFarmhand', 'POST', '/farmhands/release?name=Bob'],
  ['changeSettings', 'POST', '/settings?maxPlayers=8&cabinStrategy=None'],
  ['deleteFarmhand', 'DELETE', '/farmhands?name=Bob'],
] as const;

it('the examples in the document are answers of this server; if not, npm test -- examples -u', async () => {
  const examples: Record<string, Record<string, unknown>> = {};
  await using api = await openApi();
  for (const [operationId, method, url] of shown) {
    const { exact, statusCode } = await api.ask(method, url);
    expect(statusCode, operationId).toBe(200);
    examples[operationId] = { 200: exact };
  }
  await using alone = await openApi({ game: false });
  const notReady = await alone.ask('GET', '/health/ready');
  examples['getReadiness'] = { ...examples['getReadiness'], [notReady.statusCode]: notReady.exact };

  for (const [code, fail] of Object.entries(failures)) {
    const { exact, statusCode } = await fail();
    expect(exact['code']).toBe(code);
    examples[code] = { [statusCode]: exact };
  }

  const lines = Object.entries(examples).map(([name, answers]) => `  "${name}": ${stringifyExact(answers)}`);
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot('../../openapi-examples.json');
});
