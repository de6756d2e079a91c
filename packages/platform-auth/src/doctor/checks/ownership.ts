import { exitCodes } from '../../commands/run/exit-codes.ts';
import { gameAppId } from '../../platform/game-app.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import type { Check } from '../examination.ts';
import { failed, ok } from '../finding.ts';

const limitMs = 12_000;

export const ownershipCheck: Check<{ readonly session: PlatformSession }, true> = {
  name: 'ownership',
  title: 'Ownership',
  limitMs,
  async examine({ session }) {
    if (await session.content.ownsApp(gameAppId)) return ok('the account owns the game', true);
    return failed('not-owned', 'the account does not own the game', exitCodes['not-owned'].remedy);
  },
};
