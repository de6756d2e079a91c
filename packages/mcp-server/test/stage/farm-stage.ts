import type { AddressInfo } from 'node:net';
import { openApi, type StageOptions, testKey } from '@steward/control-api/test/api/stage/open-api';
import { keysForQueries } from '@steward/control-api/test/api/stage/operations';
import { Assistant, type AssistantOptions } from './assistant.ts';

export { testKey };

/** What the farm of the tests is called, which whoever destroys something there has to say. */
export const farmName = 'Sunnybrook';

/** The whole control API with a farm, listening, at a port where one is named, and assistants that are given it. */
export async function farmStage(options: StageOptions = {}, at = 0) {
  const api = await openApi({ ...keysForQueries, ...options });
  await api.app.listen({ host: '127.0.0.1', port: at });
  const { port } = api.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const open: Assistant[] = [];
  async function assistant(
    environment: Readonly<Record<string, string>> = {},
    more: Omit<AssistantOptions, 'environment'> = {},
  ): Promise<Assistant> {
    const opened = await Assistant.open({
      ...more,
      environment: { STEWARD_URL: url, STEWARD_KEY: testKey, ...environment },
    });
    open.push(opened);
    return opened;
  }
  return {
    api,
    url,
    assistant,
    /** Where it is about what a server says, and not about the program. */
    assistantHere: (environment: Readonly<Record<string, string>> = {}) =>
      assistant(environment, { isHere: true }),
    async [Symbol.asyncDispose]() {
      for (const each of open) await each[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}
