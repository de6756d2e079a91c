import type { GameSettings } from '@steward/shared/bridge/settings';
import type { Farm } from '../farm/farm.ts';
import {
  applied,
  type GameCommand,
  neverRefused,
  notApplied,
  type Outcome,
  whileSaving,
} from './game-command.ts';

export const setTime: GameCommand<'setTime'> = {
  refusal: whileSaving,
  apply(farm, { value }, done) {
    const before = farm.world.state.timeOfDay;
    farm.dayCycle.setTime(value);
    done(applied({ timeOfDay: before }, { timeOfDay: value }));
  },
};

export const setRenderRate: GameCommand<'setRenderRate'> = {
  refusal: neverRefused,
  apply(farm, { fps }, done) {
    const before = farm.renderRate;
    farm.setRenderRate(fps);
    done(applied({ fps: before }, { fps }));
  },
};

export const sendChat: GameCommand<'sendChat'> = {
  refusal: neverRefused,
  apply(farm, { author, message }, done) {
    farm.chat.fromOutside(author, message);
    done(applied({}, {}));
  },
};

export const applySettings: GameCommand<'applySettings'> = {
  refusal: whileSaving,
  apply(farm, { settings }: { readonly settings: GameSettings }, done) {
    const before = farm.settings;
    farm.applySettings(settings);
    done(applied({ server: before }, { server: farm.settings }));
  },
};

export const linkLobby: GameCommand<'linkLobby'> = {
  refusal: (farm) =>
    farm.hosting.lobby === undefined
      ? notApplied('not-found', 'The farm has no lobby on the cross-platform network')
      : undefined,
  apply(farm, { platformLobbyId }, done) {
    const before = farm.hosting.lobby?.platformLobbyId;
    farm.hosting.link(platformLobbyId);
    done(applied(link(before), link(platformLobbyId)));
  },
};

const saving = {
  refusal: neverRefused,
  apply(farm: Farm, _params: unknown, done: (outcome: Outcome) => void) {
    const before = farm.world.state.generation;
    // The outcome goes into the journal, and so into the very save that it speaks of.
    farm.dayCycle.saveNow((saveGeneration) => done(applied({ saveGeneration: before }, { saveGeneration })));
  },
};

export const save: GameCommand<'save'> = saving;

/** What comes after the outcome, the end of the program, is the program's. */
export const stop: GameCommand<'stop'> = saving;

function link(platformLobbyId: string | undefined): { platformLobbyId?: string } {
  return platformLobbyId === undefined ? {} : { platformLobbyId };
}
