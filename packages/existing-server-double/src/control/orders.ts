import type { ExistingServer } from '../existing-server.ts';
import type { Hosting } from '../hosting/hosting.ts';
import type { Orders } from './control-socket.ts';

/** What a test may have happen on the farm of a double that is a process. */
export function ordersOf({ farm }: ExistingServer, hosting: () => Hosting | undefined): Orders {
  const named = (name = '') => {
    const character = farm.find({ name });
    if (character === undefined) throw new Error(`there is no ${name}`);
    return character;
  };
  return {
    join: (name = '') => {
      const character = farm.join();
      farm.customize(character, name);
      return String(character.id);
    },
    leave: (name) => {
      named(name).isOnline = false;
    },
    say: (name = '', ...words) => farm.say(name, words.join(' ')),
    chat: () => farm.inGameChat,
    ids: () => farm.characters.map(({ id }) => String(id)),
    /** What the platform's lobby shows of the farm changes, as when it is renamed. */
    tell: (key = '', value = '') => hosting()?.tell({ [key]: value }),
    freeze: () => farm.thread.freeze(),
    thaw: () => farm.thread.thaw(),
  };
}
