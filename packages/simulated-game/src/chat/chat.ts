import { inviteCode } from '@steward/shared/invite-code';
import { placeCabin, resetCabin } from '../cabins/cabins.ts';
import type { EventStream } from '../events/farm-event.ts';
import type { Hosting } from '../networks/hosting.ts';
import type { Sessions } from '../world/sessions.ts';
import type { World } from '../world/world.ts';

// What the web says stands in the game like this, so that nobody takes it for a player's word.
const webMark = '(Web) ';

// And what the server itself says, like this.
const serverMark = '(Server)';

/** A text that begins like this, spaces aside, is for the game and for nobody else. */
const commandMark = '!';

/** Everything that is said on the farm. */
export class Chat {
  readonly #sessions: Sessions;
  readonly #events: EventStream;
  readonly #commands: ChatCommands;

  constructor(sessions: Sessions, events: EventStream, commands: ChatCommands) {
    this.#sessions = sessions;
    this.#events = events;
    this.#commands = commands;
  }

  /** A player says something: to all, to one other player, or to the game. */
  say(farmhandId: string, message: string, privately = false): void {
    const session = this.#sessions.of(farmhandId);
    if (session === undefined || session.creating || message.trim() === '') return;
    const author = session.knownName;
    const command = commandIn(message);
    const kind = command !== undefined ? 'command' : privately ? 'private' : 'public';
    this.#events.emit({ type: 'chat', kind, farmhandId, author, message });
    if (command === undefined) return;
    for (const line of this.#commands.answer(farmhandId, command.name, command.words)) {
      this.#events.emit({ type: 'chat', kind: 'private', author: 'Host', message: line });
    }
  }

  /** What somebody outside the game says. It is shown to everyone and never is a command. */
  fromOutside(author: string, message: string): void {
    this.#events.emit({ type: 'chat', kind: 'public', author: `${webMark}${author}`, message });
  }

  /** What the server itself has to say to everybody. */
  announce(message: string): void {
    this.#events.emit({ type: 'chat', kind: 'public', author: serverMark, message });
  }
}

/** What players can ask the game for. The answers are for the one who asked. */
export class ChatCommands {
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

/** The command and its words, or undefined when the text is something said. */
function commandIn(text: string): { readonly name: string; readonly words: readonly string[] } | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(commandMark)) return undefined;
  const [name = '', ...words] = trimmed.slice(commandMark.length).split(/\s+/);
  return { name: name.toLowerCase(), words };
}
