import { downloadWith, holdGameDirectory } from './download.ts';
import { logInAndThen } from './login.ts';
import { runCommand } from './run-command.ts';

/** The whole first setup: logs in as `login` does, then brings the game. */
export function setup(): Promise<number> {
  return runCommand('setup', async (context) => {
    const held = await holdGameDirectory(context, 'setup');
    await logInAndThen(context, (login) => downloadWith(login, context, 'setup', new Set(), held));
  });
}
