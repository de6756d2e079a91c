import type { Depot } from '../depot.ts';
import { makeDepot } from '../make-depot.ts';
import { programLike } from './generated-content.ts';

export const sdkAppId = 1007;
const sdkDepotId = 1006;
const libraryBytes = 400_000;

/** The SDK's redistributable, from which the game server wants `linux64/steamclient.so`. */
export function buildSdk(seed: string): Depot {
  return makeDepot({ depotId: sdkDepotId, name: 'SDK redistributable, Linux', osList: 'linux' }, [
    { kind: 'directory', name: 'linux64' },
    {
      kind: 'file',
      name: 'linux64/steamclient.so',
      content: programLike(`${seed} steamclient.so`, libraryBytes),
      executable: true,
    },
  ]);
}
