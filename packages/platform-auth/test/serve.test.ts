import { startPlatform } from '@steward/platform-emulator/platform';
import { appTicketAnswer, lobbyAnswer } from '@steward/shared/sidecar/platform';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { SidecarProcess } from './world/sidecar-process.ts';

const gameApp = 413_150;
const ann = { name: 'ann', password: 'pass-word-of-ann', owns: [gameApp] };

it('logs in with a token from the environment, gives tickets and opens the lobby', async () => {
  await using platform = await startPlatform({ accounts: [ann] });
  using directory = temporaryDirectory();
  await using sidecar = await SidecarProcess.start(platform, {
    SESSION_DIR: directory.path,
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
  });
  const health = await sidecar.healthWhere(({ logged_in }) => logged_in);
  expect(health.session).toMatchObject({ state: 'logged-in', token_days_remaining: expect.any(Number) });
  const answer = await sidecar.get('/platform/app-ticket');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const ticket = appTicketAnswer.parse(await answer.json());
  expect(ticket.platform_id).toBe(platform.accounts.get('ann').steamId);
  const lobby = lobbyAnswer.parse(
    await (await sidecar.put('/platform/lobby', { visibility: 'private' })).json(),
  );
  expect(lobby).toMatchObject({ state: 'open', visibility: 'public', created: 1 });
  expect(platform.lobbies.listed(gameApp).map(({ id }) => id)).toEqual([lobby.lobby_id]);
  sidecar.program.kill('SIGTERM');
  expect(await sidecar.program.exited).toEqual({ code: 0, signal: null });
});
