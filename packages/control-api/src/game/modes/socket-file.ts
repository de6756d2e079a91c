import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { OperatorError } from '@steward/service-kit/process/operator-error';
import { errorCode } from '@steward/shared/error-code';

/** Makes way for a socket: what a process that died left behind goes, what somebody uses or keeps stays. */
export async function clearSocketPath(path: string): Promise<void> {
  await makeDirectory(dirname(path));
  const kind = await kindOf(path);
  if (kind === 'nothing') return;
  if (kind === 'other')
    throw new OperatorError(`GAME_BRIDGE_LISTEN: ${path} exists and is not a socket; choose another path`);
  if (await answers(path))
    throw new OperatorError(
      `GAME_BRIDGE_LISTEN: another program listens on ${path}; stop that one or choose another path`,
    );
  await unlink(path);
}

async function kindOf(path: string): Promise<'nothing' | 'socket' | 'other'> {
  try {
    return (await lstat(path)).isSocket() ? 'socket' : 'other';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'nothing';
    throw error;
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
