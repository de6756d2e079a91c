import { type Event, type Farm, type Status, StewardError, type Topic } from '@steward/client';
import { Backoff, type Clock, pause } from '@steward/service-kit/clock';
import { codeInBrackets, OperatorError } from '@steward/service-kit/process/errors';
import { isGoodFor, type Scope } from '@steward/shared/scopes';
import { GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord-api-types/v10';
import { Desk } from './commands/desk.ts';
import { dateText, offered } from './commands/table.ts';
import type { BotConfiguration } from './configuration.ts';
import { Channel } from './discord/channel.ts';
import { reasonOf, verdictOf } from './discord/errors.ts';
import { Gateway } from './discord/gateway.ts';
import { type Standing, standingOf } from './discord/standing.ts';
import { channelOf, doorsOf, scopesOf } from './doors.ts';
import type { Log } from './log.ts';
import { type Heard, Incoming, isOfTheKey } from './relay/incoming.ts';
import { lineOf } from './relay/lines.ts';
import { Outgoing } from './relay/outgoing.ts';
import type { PlacesFile } from './relay/places.ts';

export interface World {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

const waits = { firstMs: 1_000, factor: 2, longestMs: 60_000, steadyMs: 0 } as const;

/** What changes what the status shows is heard; this is for what is missed all the same. */
const statusEveryMs = 60_000;

/** Between two places that are kept while nothing happens: each is a write to the disk, and the farm keeps events for days. */
const placeEveryMs = 60 * 60_000;

/** The bot from its first request to its last. */
export class Bot {
  readonly #configuration: BotConfiguration;
  readonly #file: PlacesFile;
  readonly #world: World;
  readonly #stopping = new AbortController();
  /** What channels and roles of the server are called. */
  readonly #names = new Map<string, string>();
  #gateway: Gateway | undefined;
  #isStatusOld = false;
  #wake = () => {};

  constructor(configuration: BotConfiguration, file: PlacesFile, world: World) {
    this.#configuration = configuration;
    this.#file = file;
    this.#world = world;
  }

  get isConnected(): boolean {
    return this.#gateway?.isReady === true;
  }

  /** Runs until it is stopped; rejects with an OperatorError for what only whoever runs it can mend. */
  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const { clock, random, log } = this.#world;
    const { token, rest, api, farm, time } = doorsOf(this.#configuration, clock);
    const file = this.#file;
    const scopes = await this.#reached('the farm', () => scopesOf(farm));
    const standing = await this.#reached('Discord', () => standingOf(api, channelOf(this.#configuration)));
    if (scopes === undefined || standing === undefined) return;
    this.#introduce(standing, scopes);
    const { DISCORD_AVATAR_URL: avatar, DISCORD_RELAY_BOTS: hearsBots } = this.#configuration;
    const channel = new Channel({ api, ...standing, id: file.places.channel, avatar });
    await this.#begin(farm, standing, topicsFor(scopes));
    if (signal.aborted) return;

    const outgoing = new Outgoing({ channel, file, clock, random, log });
    const names = (id: string) => this.#names.get(id);
    const incoming = new Incoming({ farm, channel, file, names, hearsBots, clock, time, random, log });
    const desk = new Desk({
      api,
      application: standing.application,
      guild: standing.guild.id,
      farm,
      names,
      operatorRoles: this.#configuration.DISCORD_OPERATOR_ROLE,
      clock,
      random,
      log,
      signal,
    });
    let fail: (error: Error) => void = () => {};
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const gateway = new Gateway({
      token,
      rest,
      clock,
      random,
      log,
      onDispatch: (payload) => this.#dispatched(payload, channel, incoming, desk),
      onReady: () => incoming.catchUp(),
      onSilence: () => void this.#reached('Discord', () => gateway.connect()).catch(fail),
      onOver: (error) => fail(error),
    });
    this.#gateway = gateway;
    const work = [
      this.#reached('Discord', () => gateway.connect()),
      outgoing.run(signal),
      incoming.run(signal),
      this.#listen(farm, outgoing, topicsFor(scopes)),
      isGoodFor(scopes, 'read')
        ? this.#show(farm, gateway, (status) => desk.offer(offered(scopes, capabilitiesOf(status))))
        : this.#offer(() => desk.offer(offered(scopes, undefined))),
    ];
    try {
      await Promise.race([Promise.all(work), failed]);
    } catch (error) {
      throw verdictOf(error) === 'over' ? new OperatorError(reasonOf(error)) : endWords(error);
    } finally {
      this.#stopping.abort();
    }
  }

  /** What is being posted may go on for a moment; what becomes of it later is found by the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#gateway?.close();
    await this.#file.save();
  }

  /** Tries until there is an answer, or what only the operator can mend; nothing where it is stopped before. */
  async #reached<T>(whom: string, ask: () => Promise<T>): Promise<T | undefined> {
    const { clock, random, log } = this.#world;
    const { signal } = this.#stopping;
    const backoff = new Backoff(waits, random);
    while (!signal.aborted) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof OperatorError) throw error;
        if (verdictOf(error) === 'over') throw new OperatorError(reasonOf(error));
        log.warn({ reason: reasonOf(error) }, `${whom} cannot be reached; the bot tries again`);
        await pause(backoff.pause(0), clock, signal);
      }
    }
    return undefined;
  }

  #introduce({ name, channelName, guild, advice }: Standing, scopes: ReadonlySet<Scope>): void {
    const { log } = this.#world;
    log.info(
      { bot: name, server: guild.name, channel: `#${channelName}`, scopes: [...scopes].join(' ') },
      'ready to relay the chat',
    );
    for (const line of advice) log.info({}, line);
    if (!isGoodFor(scopes, 'read'))
      log.info(
        {},
        'without the scope read there is only the chat: no joins, days, status or commands that read',
      );
    for (const { id, name: role } of guild.roles) this.#names.set(id, role);
  }

  /** The first time everything begins with what is said from now on. */
  async #begin(farm: Farm, { newest }: Standing, topics: readonly Topic[]): Promise<void> {
    const { places } = this.#file;
    places.discord ??= newest;
    if (places.farm === undefined) {
      const page = await this.#reached('the farm', () =>
        farm.getEvents({ topics: topics.join(','), limit: 1 }),
      );
      if (page !== undefined) places.farm = page.cursor;
    }
    await this.#file.save().catch((error) => {
      throw new OperatorError(
        `the file in DATA_DIR cannot be written${codeInBrackets(error)}: free some space, and let this user write there`,
      );
    });
  }

  async #listen(farm: Farm, outgoing: Outgoing, topics: readonly Topic[]): Promise<void> {
    const { clock, log } = this.#world;
    const { signal } = this.#stopping;
    const after = this.#file.places.posting?.upTo ?? this.#file.places.farm;
    // A farm may be away for a night: each reason is told once.
    let told: string | undefined;
    const onDrop = ({ detail: reason }: StewardError) => {
      if (reason !== told) log.warn({ reason }, 'the farm sends no events; the bot tries again');
      told = reason;
    };
    const onOpen = () => {
      told = undefined;
    };
    let placedAt = Number.NEGATIVE_INFINITY;
    const onPlace = (cursor: string) => {
      if (clock.now() - placedAt < placeEveryMs) return;
      placedAt = clock.now();
      void outgoing.add({ cursor });
    };
    for await (const event of farm.events({ topics, after, signal, onDrop, onOpen, onPlace })) {
      if (changesStatus(event)) this.#statusIsOld();
      await outgoing.add(lineOf(event, this.#configuration.DISCORD_TELL));
    }
  }

  #statusIsOld(): void {
    this.#isStatusOld = true;
    this.#wake();
  }

  /** Shows below the bot's name how the farm is, as often as that may have changed. */
  async #show(farm: Farm, gateway: Gateway, onStatus: (status: Status) => Promise<void>): Promise<void> {
    const { clock } = this.#world;
    const { signal } = this.#stopping;
    signal.addEventListener('abort', () => this.#statusIsOld());
    while (!signal.aborted) {
      this.#isStatusOld = false;
      const status = await farm.getStatus({}, { signal }).catch(() => undefined);
      gateway.show(status === undefined ? 'The farm cannot be reached' : statusLine(status));
      if (status !== undefined) await onStatus(status);
      // What has changed meanwhile is not in what was read.
      if (this.#isStatusOld || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = clock.after(statusEveryMs, resolve);
        this.#wake = () => {
          timer.cancel();
          resolve();
        };
      });
    }
  }

  /** For a key that reads no status: as often as there would be one, as the commands may not be set yet. */
  async #offer(offer: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await offer();
      await pause(statusEveryMs, this.#world.clock, signal);
    }
  }

  #dispatched(payload: GatewayDispatchPayload, channel: Channel, incoming: Incoming, desk: Desk): void {
    const { t: type, d: data } = payload;
    if (type === GatewayDispatchEvents.MessageCreate && data.channel_id === channel.id)
      incoming.hear(data as Heard);
    else if (type === GatewayDispatchEvents.InteractionCreate) void desk.answer(data);
    else for (const { id, name } of namedBy(payload)) if (name) this.#names.set(id, name);
  }
}

/** The channels and roles that an event tells the names of. */
function namedBy({
  t: type,
  d: data,
}: GatewayDispatchPayload): readonly { readonly id: string; readonly name?: string | null }[] {
  switch (type) {
    case GatewayDispatchEvents.GuildCreate:
      // Of a server that Discord cannot reach it says no more than that.
      return [...(data.channels ?? []), ...(data.roles ?? [])];
    case GatewayDispatchEvents.ChannelCreate:
    case GatewayDispatchEvents.ChannelUpdate:
      return [data];
    case GatewayDispatchEvents.GuildRoleCreate:
    case GatewayDispatchEvents.GuildRoleUpdate:
      return [data.role];
    default:
      return [];
  }
}

function topicsFor(scopes: ReadonlySet<Scope>): readonly Topic[] {
  return isGoodFor(scopes, 'read') ? ['chat', 'players', 'farm', 'game', 'backups'] : ['chat'];
}

function changesStatus({ type }: Event): boolean {
  return /^(?:players\.(?:joined|left)|farm\.(?:dayStarted|loaded)|game\.)/.test(type);
}

/** Which commands a game has is known while there is one. */
function capabilitiesOf({ isOnline, capabilities }: Status): readonly string[] | undefined {
  return isOnline ? capabilities : undefined;
}

function statusLine(status: Status): string {
  const { isOnline, playerCount, maxPlayers } = status;
  return isOnline ? `${playerCount} of ${maxPlayers} playing · ${dateText(status)}` : 'The farm is offline';
}

/** What ends a loop over events, or a line, for good: mostly the key. */
function endWords(error: unknown): unknown {
  if (!(error instanceof StewardError)) return error;
  const what = isOfTheKey(error) ? 'the farm no longer accepts STEWARD_KEY' : 'the farm sends no events';
  return new OperatorError(`${what}: ${error.detail}`);
}
