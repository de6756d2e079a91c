import { parseExact, stringifyExact } from '@steward/service-kit/json';
import { endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { failures } from './stage/failures.ts';
import { openApi, type StageOptions } from './stage/open-api.ts';
import { goesOn, goodQueries, keysForQueries, operationsOf, pathOf, stageOf } from './stage/operations.ts';
import { leaveSamples, sampleOf } from './stage/sampled.ts';

/** They show what others did, or leave nothing for them to do. */
const last = [
  'getAudit',
  'listOperations',
  'getOperation',
  'listBans',
  'removeBan',
  'listAllowed',
  'disallowPlayer',
  'kickPlayer',
  'deleteFarmhand',
  'listKeys',
  'revokeKey',
  'listWebhooks',
  'listDeliveries',
  'deleteWebhook',
  'listSchedules',
  'deleteSchedule',
  'deleteBackup',
];

/** Each of these is in the way of others, or needs that there is something else. */
const onStageOfItsOwn = ['restoreBackup', 'startDrain', 'cancelDrain', 'createFarm', 'loadFarm'];

/** What has no JSON to show. */
const withoutExample = endpointIds.filter(
  (id) => 'mediaType' in endpoints[id] || 'webSocket' in endpoints[id],
);

/** Stands in lines of the audit. */
const headers = { 'x-request-id': '8e03978e-40d5-43e8-bc93-6894a57f9324' };

/** The first write's. */
const operationId = '1001';

/** Each key and each secret is another one, and what is shown opens and signs nothing; so is the name of each log. */
function withoutChance(answer: object): unknown {
  const text = stringifyExact(answer)
    .replaceAll(/\bstw_[\w-]{43}/g, 'stw_example-example-example-example-example-key')
    .replaceAll(/\bkey_[0-9a-f]{12}/g, 'key_5b1f0c9a7d24')
    .replaceAll(/\bwhsec_[\w+/=]{44}/g, 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZQ==')
    .replaceAll(/\bhook_[0-9a-f]{12}/g, 'hook_5b1f0c9a7d24')
    .replaceAll(/\bschedule_[0-9a-f]{12}/g, 'schedule_5b1f0c9a7d24')
    .replaceAll(/\b20261121T000000Z-[0-9a-f]{6}/g, '20261121T000000Z-3f9a7c')
    .replaceAll(/"(bytes|freeBytes)":\d+/g, '"$1":1048576')
    .replaceAll(/\brow_[0-9a-f]{12}/g, 'row_5b1f0c9a7d24')
    .replaceAll(/"[0-9a-f]{12}-(\d+)"/g, '"k3f9x-$1"');
  return parseExact(text);
}

it('the examples in the document are answers of this server; if not, npm test -- examples -u', async () => {
  const examples: Record<string, Record<string, unknown>> = {};
  using directory = temporaryDirectory();
  await leaveSamples(directory.path, [sampleOf(3), sampleOf(2, { players: 2, ticks: 5_871 }), sampleOf(1)]);
  await using api = await openApi({ directory: directory.path, ...keysForQueries });
  const shown = operationsOf(api.document)
    .filter((operation) => !withoutExample.some((id) => id === operation.operationId))
    .toSorted((one, other) => last.indexOf(one.operationId) - last.indexOf(other.operationId));
  for (const operation of shown) {
    const { operationId: name, method } = operation;
    await using own = onStageOfItsOwn.includes(name) ? await openApi(stageOf(name)) : undefined;
    const { ask } = own ?? api;
    const url = `${pathOf(operation, operationId)}${goodQueries[name] ?? ''}`;
    const { exact, statusCode } = await ask(method, url, { headers });
    expect(statusCode, name).toBe(goesOn(name) ? 202 : 200);
    examples[name] = { [statusCode]: withoutChance(exact) };
  }
  await using alone = await openApi({ game: false });
  const notReady = await alone.ask('GET', '/health/ready');
  examples['getReadiness'] = { ...examples['getReadiness'], [notReady.statusCode]: notReady.exact };

  await using stages = new AsyncDisposableStack();
  const opened = new Map<StageOptions, ReturnType<typeof openApi>>();
  const shared = async (options: StageOptions) => {
    const stage = opened.get(options) ?? openApi(options).then((api) => stages.use(api));
    opened.set(options, stage);
    return await stage;
  };
  for (const [code, fail] of Object.entries(failures)) {
    const { exact, statusCode } = await fail(shared);
    expect(exact['code']).toBe(code);
    examples[code] = { [statusCode]: exact };
  }

  const lines = Object.entries(examples).map(([name, answers]) => `  "${name}": ${stringifyExact(answers)}`);
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot('../../openapi-examples.json');
});
