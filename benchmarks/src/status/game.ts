import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The smallest game, dialled in and seen in the answers. */
export async function connectGame(
  socket: string,
  origin: string,
  headers: Record<string, string>,
): Promise<{ close(): void }> {
  const game = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('@steward/testing/game/main')), '--dial', `unix:${socket}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(game, 'spawn');
  for (;;) {
    const { isOnline } = (await (await fetch(`${origin}/status`, { headers })).json()) as {
      isOnline: boolean;
    };
    if (isOnline) return { close: () => game.kill('SIGTERM') };
  }
}
