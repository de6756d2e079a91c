import type { ExistingFarm } from '../farm/existing-farm.ts';
import { SidecarCalls } from './sidecar-calls.ts';

const readinessPollMs = 2_000;
const readinessMs = 30_000;
const base = 36;

export interface HostingParts {
  readonly farm: ExistingFarm;
  readonly sidecarUrl: string;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: (line: string) => void;
}

/** The id under which its relay listens, and the network lobby: given to it from outside, here made up. */
export const gameServerId = '90203554190155185';
const networkLobbyId = 109_775_243_000_000_001n;

/** A farm that is hosted over both networks. */
export interface Hosting {
  /** Tells the platform's lobby something about the farm; a lobby that is gone is made anew. */
  tell(metadata: Record<string, string>): Promise<void>;
}

/**
 * Hosts over both networks, as the mod does when a farm is loaded: waits for the sidecar, signs in with a ticket, opens its
 * lobby, has the platform's lobby made and points the one at the other. Only then is there a code with S.
 */
export async function host({ farm, sidecarUrl, pause, log }: HostingParts): Promise<Hosting | undefined> {
  const calls = new SidecarCalls(sidecarUrl, pause);
  if (!(await isReady(calls, pause))) {
    log('the sidecar is not logged in: no invite codes');
    return undefined;
  }
  await calls.refreshToken().catch((error: unknown) => log(`no refresh token: ${error}`));
  await calls.ticket();
  farm.networkCode = networkLobbyId.toString(base).toUpperCase();
  const lobby = {
    id: await calls.createLobby(gameServerId, farm.maxPlayers),
    gameServerId,
    maxMembers: farm.maxPlayers,
  };
  const tell = async (metadata: Record<string, string>): Promise<void> => {
    const before = lobby.id;
    await calls.withLobby(lobby, (id) => calls.setData(id, metadata));
    if (lobby.id !== before) log(`the platform lobby was gone, and is ${lobby.id} now`);
  };
  await tell({ farmName: farm.farmName });
  await calls.withLobby(lobby, (id) => calls.setPrivacy(id, 'public'));
  farm.isPlatformLobbyStamped = true;
  log(`hosting, with the platform lobby ${lobby.id}`);
  return { tell };
}

async function isReady(calls: SidecarCalls, pause: HostingParts['pause']): Promise<boolean> {
  for (let waited = 0; waited < readinessMs; waited += readinessPollMs) {
    const health = await calls.health().catch(() => '{}');
    const { status, logged_in } = JSON.parse(health);
    if (status === 'ok' && logged_in === true) return true;
    await pause(readinessPollMs);
  }
  return false;
}
