import type { ExistingFarm } from '../farm/existing-farm.ts';
import type { Exchange } from './exchange.ts';

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** One dot. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** What makes and loads whole worlds, and what it shows of one. Unlike its other writes these say by the status how it went. */
export function worldsOf(
  farm: ExistingFarm,
): Readonly<Record<string, (exchange: Exchange) => Promise<Answer>>> {
  const unlessPlayed = (work: () => string): Answer => {
    if (farm.characters.some(({ isOnline }) => isOnline))
      return { status: 409, body: { success: false, error: 'Players are connected' } };
    const message = work();
    farm.publish();
    return { status: 200, body: { success: true, message } };
  };
  return {
    'POST /newgame': async (exchange) => {
      // A body that it cannot read counts as none.
      const asked: Readonly<Record<string, unknown>> = Object(await exchange.body());
      const { farmName } = asked;
      return unlessPlayed(() => {
        farm.askedWorld = asked;
        farm.found(typeof farmName === 'string' ? farmName : 'Junimo');
        return 'New game created';
      });
    },
    'POST /reload': async () =>
      unlessPlayed(() => {
        farm.reloads += 1;
        return 'Save reloaded';
      }),
    'GET /screenshot': async () => ({
      status: 200,
      body:
        farm.fps === 0
          ? { success: false, width: 0, height: 0, error: 'Rendering is disabled' }
          : { success: true, base64Png: picture, width: 1, height: 1 },
    }),
  };
}
