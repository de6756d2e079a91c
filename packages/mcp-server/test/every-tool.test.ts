import { goodQueries, stageOf } from '@steward/control-api/test/api/stage/operations';
import { type Endpoint, isWrite } from '@steward/shared/api/endpoint';
import { type EndpointId, endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { freePort } from '@steward/testing/free-port';
import { count } from '@steward/testing/scale';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationNamed, toolName, toolsetOf, withoutTool } from '../src/tools/toolsets.ts';
import { Assistant, type Era, eras } from './stage/assistant.ts';
import { farmName, farmStage, testKey } from './stage/farm-stage.ts';

type FarmStage = Awaited<ReturnType<typeof farmStage>>;

const tools = endpointIds.filter((id) => toolsetOf(id) !== undefined);

/** Which era it is spoken in is nothing to what a tool does: where there is less time each tool is called in one of them, in turn. */
const erasOfATool = count({ small: 1, long: eras.length });

function calledIn(era: Era, isWanted: (id: EndpointId) => boolean): readonly EndpointId[] {
  return tools.filter(isWanted).filter((_id, index) => {
    const turn = (index + eras.indexOf(era)) % eras.length;
    return turn < erasOfATool;
  });
}

const ids = { bob: '-4611686018427387905', ann: '620826087702429092', kim: '42' };

/** By the ids that tools take, what a query of the API's own tests says by a name. */
const byId: Readonly<Record<string, Record<string, unknown>>> = {
  grantAdmin: { playerId: ids.bob },
  deleteFarmhand: { playerId: ids.bob },
  rebindFarmhand: { playerId: ids.bob },
  releaseFarmhand: { playerId: ids.bob },
  allowPlayer: { playerId: ids.bob },
  kickPlayer: { playerId: ids.ann },
  disallowPlayer: { playerId: ids.kim },
  deleteWebhook: { id: 'hook_9c2e41d07ab3' },
  resumeWebhook: { id: 'hook_9c2e41d07ab3' },
  testWebhook: { id: 'hook_9c2e41d07ab3' },
  deleteSchedule: { id: 'schedule_9c2e41d07ab3' },
  runSchedule: { id: 'schedule_9c2e41d07ab3' },
};

describe.each(eras)('in the era %s', (era) => {
  let port: number;
  let assistant: Assistant;

  /** One for all farms, which come one after the other where it looks for its own. */
  beforeAll(async () => {
    port = await freePort();
    const environment = {
      STEWARD_URL: `http://127.0.0.1:${port}`,
      STEWARD_KEY: testKey,
      MCP_TOOLSETS: 'all',
    };
    assistant = await Assistant.open({ era, environment });
  });

  afterAll(() => assistant[Symbol.asyncDispose]());

  describe('what only reads', () => {
    let stage: FarmStage;

    beforeAll(async () => {
      stage = await farmStage({}, port);
    });

    afterAll(() => stage[Symbol.asyncDispose]());

    it.each(calledIn(era, (id) => !isWrite(endpoints[id])))(
      '%s is a tool that does what the operation does',
      (id) => doesWhatTheOperationDoes(id, assistant, stage),
    );
  });

  describe('what changes something', () => {
    it.each(calledIn(era, (id) => isWrite(endpoints[id])))(
      '%s is a tool that does what the operation does',
      async (id) => {
        await using stage = await farmStage(stageOf(id), port);
        await doesWhatTheOperationDoes(id, assistant, stage);
        const { body } = await stage.api.ask('GET', `/audit?action=${id}`);
        expect(body).toContain(`"action":"${id}"`);
      },
    );
  });
});

async function doesWhatTheOperationDoes(
  id: EndpointId,
  assistant: Assistant,
  { api }: FarmStage,
): Promise<void> {
  const offered = (await assistant.tools()).find(({ name }) => name === toolName(id));
  const { properties = {}, required = [] } = offered?.inputSchema ?? {};
  const given: Record<string, unknown> = Object.fromEntries(
    [...new URLSearchParams(goodQueries[id])].filter(([name]) => name in properties),
  );
  Object.assign(given, byId[id]);
  if (id === 'getOperation') {
    const { structuredContent } = await assistant.call('set_rendering', { fps: 3 });
    Object.assign(given, { id: (structuredContent as { operationId: string }).operationId });
  }
  if (id === 'revokeKey') {
    const { exact } = await api.ask('GET', '/keys');
    Object.assign(given, { id: (exact['keys'] as readonly { id: string }[])[0]?.id });
  }
  // Nothing is loaded where the game is away, as it has to be for a restore.
  if (required.includes('confirmFarm')) given['confirmFarm'] = id === 'restoreBackup' ? 'no farm' : farmName;
  const result = await assistant.call(toolName(id), given);
  expect(result, JSON.stringify(result)).not.toHaveProperty('isError', true);
  if (id === 'getScreenshot') expect(result.content[0]).toMatchObject({ type: 'image' });
  else expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.structuredContent);
  const { game }: Endpoint & { game?: string } = endpoints[id];
  if (game !== undefined && id !== 'changeSettings') expect(api.farm.heard).toContain(game);
}

it('is there of every operation but those that say why there is none', () => {
  const without = endpointIds.filter((id) => toolsetOf(id) === undefined);
  expect(without.toSorted()).toEqual(Object.keys(withoutTool).toSorted());
});

it('a name leads to the operation that it is of', () => {
  expect(tools.map((id) => operationNamed(toolName(id)))).toEqual(tools);
  expect(operationNamed('create_key')).toBeUndefined();
});
