import type { EventStream } from '../events/event-stream.ts';
import type { Sessions } from '../world/sessions.ts';
import { commandIn } from './chat-line.ts';
import type { GameCommands } from './game-commands.ts';

// What the web says stands in the game like this, so that nobody takes it for a player's word.
const webMark = '(Web) ';

/** Everything that is said on the farm. */
export class Chat {
  readonly #sessions: Sessions;
  readonly #events: EventStream;
  readonly #commands: GameCommands;

  constructor(sessions: Sessions, events: EventStream, commands: GameCommands) {
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
}
