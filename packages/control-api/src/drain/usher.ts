import type { Announcer } from '../game/announcer.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import type { RunOptions } from '../game/operations/game-commands.ts';
import { isForTheMoment, isNotKept } from '../game/operations/operation.ts';
import { isConnected } from '../game/state/bridge-state.ts';

/** `asked`: the game was told to kick them; `busy`: it refused for now; `not-kept`: STATE_DIR cannot be written, so no command was sent; `unable`: it has no `kick`. */
export type ShownOut = 'asked' | 'busy' | 'not-kept' | 'unable';

/** Speaks to players, and shows them out. A game that cannot is not asked to. */
export interface Usher {
  /** Never rejects: what cannot be said is not worth failing for. */
  announce(text: string): Promise<void>;
  /** Disconnects whoever is there. */
  showOut(reason: string, asStep: Pick<RunOptions, 'partOf'>): Promise<ShownOut>;
}

/** Speaks to players by what the game can do: one that can neither announce nor send away lets them find out for themselves. */
export function usherOver(bridge: Pick<GameBridge, 'state' | 'run'>, announcer: Announcer): Usher {
  const can = (name: string) => bridge.state.game?.capabilities.includes(name) === true;
  return {
    async announce(text) {
      if (!isConnected(bridge.state.link.status) || !can('announce')) return;
      await announcer.announce(text).catch(() => {});
    },
    async showOut(reason, asStep) {
      if (!can('kick')) return 'unable';
      const players = bridge.state.sections.players ?? [];
      const kicks = players.map(({ id: playerId }) =>
        bridge.run({ name: 'kick', params: { target: { playerId }, reason } }, asStep),
      );
      const results = await Promise.all(kicks);
      if (results.some(isNotKept)) return 'not-kept';
      return results.some(isForTheMoment) ? 'busy' : 'asked';
    },
  };
}
