import type { API } from '@discordjs/core/http-only';
import { type Farm, type Operation, StewardError } from '@steward/client';
import { Backoff, type Clock, pause } from '@steward/service-kit/clock';
import {
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIUser,
  ApplicationCommandType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord-api-types/v10';
import { nobodyMentioned } from '../discord/channel.ts';
import { reasonOf, verdictOf } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import { type Names, spoken } from '../text/inward.ts';
import { harmless } from '../text/outward.ts';
import { declared, isSame } from './declaring.ts';
import { type Command, commands, type Given, type Told } from './table.ts';

interface Parts {
  readonly api: API;
  readonly application: string;
  readonly guild: string;
  readonly farm: Farm;
  readonly names: Names;
  /** Ids of the roles whose members may use what changes something. */
  readonly operatorRoles: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly signal: AbortSignal;
}

/** Discord takes an answer for 15 minutes; what takes longer is told in the channel. */
const answerableMs = 14 * 60_000;
const lookEveryMs = 3_000;
/** Nobody waits at the screen any more. */
const lookRarelyMs = 60_000;
/** Some operations are never settled, as where the game does not come back. */
const followedMs = 24 * 60 * 60_000;

/** There is room for all of these in one message. */
const mostWords = 1_000;
const mostMatches = 10;
const mostMatchShown = 70;

/** Tries to show one answer: an edit is the same however often it is made. */
const edits = { most: 4, pauseMs: 2_000 } as const;

/** Between two tries to set the same commands: mostly somebody has to invite the bot anew. */
const offers = { firstMs: 60_000, factor: 2, longestMs: 60 * 60_000, steadyMs: 0 } as const;

const endings: readonly Operation['state'][] = ['applied', 'refused', 'void'];

const notOperator =
  'This is for operators: an administrator of the server, or a role that DISCORD_OPERATOR_ROLE of the bot names.';

/** Where members of the server ask for something by slash commands. */
export class Desk {
  readonly #parts: Parts;
  #offered = '';
  /** What could not be set, and when it is tried again. */
  #refused: { readonly text: string; readonly backoff: Backoff; readonly againAt: number } | undefined;
  /** Why, as it was said since some were set. */
  readonly #reasons = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes these the commands of the server, where they are not yet. */
  async offer(chosen: readonly Command[]): Promise<void> {
    const { api, application, guild, operatorRoles, clock, random, log } = this.#parts;
    const wanted = chosen.map((command) => declared(command, operatorRoles.length > 0));
    const text = JSON.stringify(wanted);
    const refused = this.#refused?.text === text ? this.#refused : undefined;
    if (text === this.#offered || (refused !== undefined && clock.now() < refused.againAt)) return;
    try {
      const there = await api.applicationCommands.getGuildCommands(application, guild);
      if (!isSame(wanted, there)) {
        await api.applicationCommands.bulkOverwriteGuildCommands(application, guild, wanted);
        log.info({ commands: chosen.map(({ name }) => `/${name}`).join(' ') }, 'the slash commands are set');
      }
      this.#offered = text;
      this.#refused = undefined;
      this.#reasons.clear();
    } catch (error) {
      const backoff = refused?.backoff ?? new Backoff(offers, random);
      this.#refused = { text, backoff, againAt: clock.now() + backoff.pause(0) };
      const reason = reasonOf(error);
      if (this.#reasons.has(reason)) return;
      this.#reasons.add(reason);
      log.warn(
        { reason },
        'the slash commands could not be set: invite the bot with the scope applications.commands, too',
      );
    }
  }

  /** Told of each interaction; what is none of the commands is somebody else's. */
  async answer(interaction: APIInteraction): Promise<void> {
    if (interaction.type !== InteractionType.ApplicationCommand) return;
    // Whoever invites the bot to a server of their own is an administrator there.
    if (interaction.guild_id !== this.#parts.guild) return;
    if (interaction.data.type !== ApplicationCommandType.ChatInput) return;
    const command = commands.find(({ name }) => name === interaction.data.name);
    if (command === undefined) return;
    try {
      await this.#serve(command, interaction as APIChatInputApplicationCommandInteraction);
    } catch (error) {
      this.#parts.log.warn(
        { command: command.name, reason: reasonOf(error) },
        'a command could not be answered',
      );
    }
  }

  async #serve(command: Command, interaction: APIChatInputApplicationCommandInteraction): Promise<void> {
    const { api, log } = this.#parts;
    const { id, token } = interaction;
    const given = givenIn(interaction);
    const objection = this.#objection(command, given, interaction);
    const isPublic = command.isPublic === true && objection === undefined && !command.isDeed(given);
    const flags = isPublic ? {} : { flags: MessageFlags.Ephemeral as const };
    await api.interactions.defer(id, token, flags);
    const edit = (text: string) => this.#edit(token, text);
    if (objection !== undefined) return void (await edit(objection));
    const told = await this.#run(command, given, interaction);
    if (command.isDeed(given))
      log.info(
        { command: command.name, by: nameOf(interaction), given, answer: told.text },
        'a command was used',
      );
    await edit(told.text);
    if (told.operationId !== undefined) await this.#follow(told.operationId, command, interaction, edit);
  }

  async #edit(token: string, content: string): Promise<void> {
    const { api, application, clock, signal } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        await api.interactions.editReply(application, token, { content, allowed_mentions: nobodyMentioned });
        return;
      } catch (error) {
        if (verdictOf(error) !== 'uncertain' || tries === edits.most) throw error;
        await pause(edits.pauseMs, clock, signal);
      }
    }
  }

  #objection(
    command: Command,
    given: Given,
    { member }: APIChatInputApplicationCommandInteraction,
  ): string | undefined {
    if (command.isDeed(given) && !this.#isOperator(member)) return notOperator;
    const asksToConfirm = command.options?.some(({ name }) => name === 'confirm') === true;
    return asksToConfirm && given['confirm'] !== true
      ? 'Nothing was done: `confirm` was not true.'
      : undefined;
  }

  #isOperator(member: APIChatInputApplicationCommandInteraction['member']): boolean {
    if (member === undefined) return false;
    const isAdministrator = (BigInt(member.permissions) & PermissionFlagsBits.Administrator) !== 0n;
    return isAdministrator || member.roles.some((role) => this.#parts.operatorRoles.includes(role));
  }

  async #run(
    command: Command,
    given: Given,
    interaction: APIChatInputApplicationCommandInteraction,
  ): Promise<Told> {
    const { farm, names, log } = this.#parts;
    const spokenBy = (content: string) => spoken(messageOf(interaction, content), names);
    try {
      const idempotencyKey = `discord-${interaction.id}`;
      return await command.run({ farm, given, spoken: spokenBy, idempotencyKey });
    } catch (error) {
      log.warn({ command: command.name, reason: reasonOf(error) }, 'a command has failed');
      if (error instanceof StewardError) return failed(error);
      return { text: 'This failed; the log of the bot says why.' };
    }
  }

  /** What takes long is told when it ends, or once nobody expects that any more. */
  async #follow(
    operationId: string,
    { name }: Command,
    interaction: APIChatInputApplicationCommandInteraction,
    edit: (text: string) => Promise<void>,
  ): Promise<void> {
    const { api, farm, clock, signal } = this.#parts;
    const beganAt = clock.now();
    const say = async (text: string) => {
      const { channel } = interaction;
      if (clock.now() - beganAt < answerableMs) await edit(text);
      else if (channel !== undefined)
        await api.channels.createMessage(channel.id, { content: text, allowed_mentions: nobodyMentioned });
    };
    while (clock.now() - beganAt < followedMs) {
      await pause(clock.now() - beganAt < answerableMs ? lookEveryMs : lookRarelyMs, clock, signal);
      if (signal.aborted) return;
      const operation = await farm.getOperation({ id: operationId }).catch(unlessGone);
      if (operation !== undefined && (endings.includes(operation.state) || operation.forGood === true))
        return void (await say(endText(name, operation)));
    }
    await say(`/${name}: it is still not known how this ended. Check before you repeat it.`);
  }
}

/** The farm may be away for a while, as while it is drained; an operation that nobody knows any more never ends. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof StewardError)) throw error;
  if (error.code === 'operation-not-found' || error.status === 401 || error.status === 403) throw error;
  return undefined;
}

/** How what takes long has ended. */
function endText(name: string, { state, why, refusal, after }: Operation): string {
  if (state === 'applied')
    return `/${name}: done${after?.['isSaved'] === false ? ', but the farm was not saved: the day is lost' : ''}.`;
  const words = harmless(refusal?.message ?? why ?? 'unknown reason');
  if (state === 'unknown')
    return `/${name}: it is unknown whether this was done (${words}). Check before you repeat it.`;
  return `/${name} has failed: ${words}`;
}

/** What was not answered as it was asked. */
function failed(error: StewardError): Told {
  const { applied, operationId, problem } = error;
  const matches = (problem?.matches ?? []).slice(0, mostMatches);
  const mark = applied === null ? 'It is not known yet whether this was done' : 'This was not done';
  return {
    text: [
      `${mark}: ${harmless(publicWords(error), mostWords)}`,
      ...matches.map(({ idStr, name }) => `• ${idStr} ${harmless(name, mostMatchShown)}`),
    ].join('\n'),
    ...(applied === null && operationId ? { operationId } : {}),
  };
}

/** Addresses and keys are for whoever reads the log. */
function publicWords({ code, detail, problem, status }: StewardError): string {
  if (code === 'timeout') return 'The farm has not answered in time.';
  if (problem === undefined) return 'The farm cannot be reached.';
  return status === 401 || status === 403 ? 'The key of the bot does not allow it.' : detail;
}

/** A text of whoever asks, as the message that it would be in the channel. */
function messageOf({ member, user, data }: APIChatInputApplicationCommandInteraction, content: string) {
  const mentions = Object.values(data.resolved?.users ?? {});
  const author = (member?.user ?? user) as APIUser;
  return { content, author, member, mentions, attachments: [] };
}

function nameOf({ member, user }: APIChatInputApplicationCommandInteraction): string {
  const who = member?.user ?? user;
  return member?.nick ?? who?.global_name ?? who?.username ?? 'somebody';
}

function givenIn({ data }: APIChatInputApplicationCommandInteraction): Given {
  return Object.fromEntries(
    (data.options ?? []).map((option) => [option.name, 'value' in option ? option.value : undefined]),
  );
}
