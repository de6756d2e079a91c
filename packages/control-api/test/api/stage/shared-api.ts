import { afterAll } from 'vitest';
import { openApi, type StageOptions } from './open-api.ts';

/**
 * One stage for those tests of a file, or of a group, that leave nothing behind: that only read, or are refused. To begin takes a stage
 * longer than to answer. It begins with the first of them, and listens once one of them wants its port.
 */
export function sharedApi(options: StageOptions = {}) {
  let opened: ReturnType<typeof openApi> | undefined;
  let listening: Promise<number> | undefined;
  afterAll(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
  });
  const open = () => {
    opened ??= openApi(options);
    return opened;
  };
  const listen = async () => (await (await open()).listen()).port;
  const port = () => {
    listening ??= listen();
    return listening;
  };
  return Object.assign(open, { port });
}
