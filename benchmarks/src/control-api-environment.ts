import { join } from 'node:path';
import { nodeOptionsOf } from '@steward/tools/bundle/services';

/** The control API as its image starts it, on loopback, with what it keeps in a directory of its own. */
export function controlApiEnvironment(directory: string, port = '0'): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: nodeOptionsOf('control-api').join(' '),
    API_HOST: '127.0.0.1',
    API_PORT: port,
    STATE_DIR: directory,
    SETTINGS_PATH: join(directory, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
    LOG_FORMAT: 'json',
  };
}
