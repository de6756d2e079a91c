import { randomBytes } from 'node:crypto';
import { type APIMessage, MessageFlags, MessageType } from 'discord-api-types/v10';
import { refused } from '../rules/discord-error.ts';
import type { Channel, Draft } from './channel.ts';
import type { Ground } from './ground.ts';
import type { Member } from './guild.ts';

/** What the caller of a command sees of an answer. */
export interface Answer {
  readonly content: string;
  readonly embeds: APIMessage['embeds'];
  /** Nobody else sees it. */
  readonly isEphemeral: boolean;
}

/** `failed`: nobody answered in time, and the caller was told so. */
export type InteractionState = 'waiting' | 'thinking' | 'answered' | 'failed';

type Content = Omit<Draft, 'author' | 'type'>;

export interface InteractionParts {
  readonly ground: Ground;
  readonly channel: Channel;
  readonly caller: Member;
  readonly bot: Member;
  readonly command: string;
}

/** A command that somebody has used: first it is answered, in time and once; then the answer is edited and added to. */
export class Interaction {
  readonly id: string;
  readonly token = randomBytes(32).toString('base64url');
  readonly #parts: InteractionParts;
  readonly #begunAt: number;
  /** Those that are still there; the first answer is also known as `@original`. */
  readonly #messages: APIMessage[] = [];
  #originalId: string | undefined;
  readonly #first = Promise.withResolvers<Answer | undefined>();
  readonly #tooLate: { cancel(): void };
  #isAcknowledged = false;
  #hasFailed = false;

  constructor(parts: InteractionParts) {
    const { clock, ids, limits } = parts.ground;
    this.id = ids.next();
    this.#parts = parts;
    this.#begunAt = clock.now();
    this.#tooLate = clock.after(limits.interactionAnswerMs, () => {
      this.#hasFailed = true;
      this.#first.resolve(undefined);
    });
  }

  get channel(): Channel {
    return this.#parts.channel;
  }

  get state(): InteractionState {
    if (!this.#isAcknowledged) return this.#hasFailed ? 'failed' : 'waiting';
    return this.#messages.some(isLoading) ? 'thinking' : 'answered';
  }

  /** In order, as they stand now. */
  get answers(): readonly Answer[] {
    return this.#messages.filter((message) => !isLoading(message)).map(answerOf);
  }

  /** The first that says something; undefined when nobody answered in time. */
  answer(): Promise<Answer | undefined> {
    return this.#first.promise;
  }

  /** Answers it for the first time: at once, or by a promise to, which is content without words. */
  acknowledge(content: Content | undefined, isEphemeral: boolean): APIMessage {
    const { command, caller } = this.#parts;
    if (this.#isAcknowledged) throw refused('alreadyAcknowledged');
    if (this.#hasFailed) throw refused('unknownInteraction');
    this.#isAcknowledged = true;
    this.#tooLate.cancel();
    const metadata = {
      id: this.id,
      type: 2,
      user: caller.user,
      name: command,
      authorizing_integration_owners: {},
    };
    const original = this.#add(
      {
        content: '',
        ...content,
        type: MessageType.ChatInputCommand,
        interaction_metadata: metadata as NonNullable<APIMessage['interaction_metadata']>,
        flags: (content?.flags ?? 0) | (content === undefined ? MessageFlags.Loading : 0),
      },
      isEphemeral,
    );
    this.#originalId = original.id;
    return original;
  }

  /** One more answer. While the first is only promised it is that one, seen by those who saw the promise. */
  follow(content: Content, isEphemeral: boolean): APIMessage {
    this.checkToken();
    const [original] = this.#messages;
    if (original !== undefined && isLoading(original)) return this.edit(original, content);
    return this.#add({ ...content, type: MessageType.Reply }, isEphemeral);
  }

  /** Before the first answer there is nothing behind the token, and after a quarter of an hour no more. */
  checkToken(): void {
    if (!this.#isAcknowledged) throw refused('unknownWebhook');
    const { clock, limits } = this.#parts.ground;
    if (clock.now() - this.#begunAt > limits.interactionTokenMs) throw refused('wrongWebhookToken');
  }

  find(id: string): APIMessage {
    this.checkToken();
    const wanted = id === '@original' ? this.#originalId : id;
    const found = this.#messages.find((message) => message.id === wanted);
    if (found === undefined) throw refused('unknownMessage');
    return found;
  }

  edit(message: APIMessage, content: Partial<Content>): APIMessage {
    const wasLoading = isLoading(message);
    const changes = { ...content, flags: (message.flags ?? 0) & ~MessageFlags.Loading };
    if (isEphemeral(message)) Object.assign(message, changes);
    else this.#parts.channel.change(message, changes, !wasLoading);
    this.#first.resolve(answerOf(message));
    return message;
  }

  remove(message: APIMessage): void {
    this.#messages.splice(this.#messages.indexOf(message), 1);
    this.#parts.channel.remove(message);
  }

  #add(content: Content & Pick<Draft, 'type'>, isEphemeral: boolean): APIMessage {
    const { channel, bot } = this.#parts;
    const flags = (content.flags ?? 0) | (isEphemeral ? MessageFlags.Ephemeral : 0);
    const draft = { ...content, author: bot.user, flags };
    const message = isEphemeral ? channel.compose(draft) : channel.post(draft);
    this.#messages.push(message);
    if (!isLoading(message)) this.#first.resolve(answerOf(message));
    return message;
  }
}

function answerOf(message: APIMessage): Answer {
  const { content, embeds } = message;
  return { content, embeds, isEphemeral: isEphemeral(message) };
}

function isEphemeral({ flags }: APIMessage): boolean {
  return ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}

function isLoading({ flags }: APIMessage): boolean {
  return ((flags ?? 0) & MessageFlags.Loading) !== 0;
}
