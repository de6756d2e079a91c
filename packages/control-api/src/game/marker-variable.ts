import { text } from '@steward/service-kit/configuration/kinds';
import type { Variable } from '@steward/service-kit/configuration/variable';
import { gameMarkerName } from '@steward/shared/sidecar/game-marker';

/**
 * The row that says what a started game waits for: by default the marker in the volume that both containers share, so that nobody
 * starts one on half a tree by having set nothing.
 */
export const markerVariable: Variable<string> = {
  ...text({
    fallback: `/data/game/${gameMarkerName}`,
    allowed: 'a file; set but empty: the game brings its own files, and nothing is waited for',
    meaning:
      'With GAME_BRIDGE=spawn: the file that has to be there before the game is started; the download writes it last',
  }),
  emptyIsAValue: true,
};
