import { Emulated, gameApp } from './emulated.ts';

/** Whose name and password the service knows. */
export const bob = { PLATFORM_USERNAME: 'bob', PLATFORM_PASSWORD: 'pass-of-bob' };

/** A platform with an account for each way that a command can end. */
export function startForCommands(): Promise<Emulated> {
  return Emulated.start({
    accounts: [
      { name: 'bob', password: 'pass-of-bob', owns: [gameApp] },
      { name: 'poor', password: 'pass-of-poor', owns: [] },
      { name: 'guarded', password: 'pass-of-guarded', owns: [gameApp], guards: ['device-confirmation'] },
    ],
  });
}
