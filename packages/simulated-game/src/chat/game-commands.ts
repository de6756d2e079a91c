import { inviteCode } from '@steward/shared/invite-code';
import { placeCabin, resetCabin } from '../cabins/cabins.ts';
import type { Hosting } from '../networks/hosting.ts';
import type { World } from '../world/world.ts';

/** What players can ask the game for. The answers are for the one who asked. */
export class GameCommands {
  readonly #world: World;
  readonly #hosting: Hosting;

  constructor(world: World, hosting: Hosting) {
    this.#world = world;
    this.#hosting = hosting;
  }

  answer(farmhandId: string, name: string, words: readonly string[]): readonly string[] {
    const { state } = this.#world;
    switch (name) {
      case 'help':
        return ['!help !info !invitecode !cabin [reset]'];
      case 'info':
        return [`${state.farmName}, day ${state.day} of ${state.season}, year ${state.year}`];
      case 'invitecode':
        return [this.#code()];
      case 'cabin':
        return [this.#cabin(farmhandId, words)];
      default:
        return [`There is no command !${name}; try !help`];
    }
  }

  #code(): string {
    const { lobby } = this.#hosting;
    return lobby === undefined ? 'There is no invite code at the moment' : inviteCode('G', lobby.rawId);
  }

  #cabin(farmhandId: string, words: readonly string[]): string {
    const { state } = this.#world;
    if (words[0] === 'reset') {
      resetCabin(state, farmhandId);
      return 'Your cabin is back where the farm keeps cabins';
    }
    if (placeCabin(state, farmhandId)) return 'Your cabin stands here now';
    return 'There is no room for a cabin here';
  }
}
