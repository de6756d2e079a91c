import type { Announcer } from '../game/announcer.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { isConnected } from '../game/state/bridge-state.ts';
import type { Usher } from './course.ts';

/** Speaks to players by what the game can do: one that can neither announce nor send away lets them find out for themselves. */
export function usherOver(bridge: Pick<GameBridge, 'state' | 'run'>, announcer: Announcer): Usher {
  const can = (name: string) => bridge.state.game?.capabilities.includes(name) === true;
  return {
    async announce(text) {
      if (isConnected(bridge.state.link.status) && can('announce')) await announcer.announce(text);
    },
    async showOut(reason) {
      if (!can('kick')) return;
      const players = bridge.state.sections.players ?? [];
      const kicks = players.map(({ id: playerId }) =>
        bridge.run({ name: 'kick', params: { target: { playerId }, reason } }),
      );
      await Promise.all(kicks);
    },
  };
}
