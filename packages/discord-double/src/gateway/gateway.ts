import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
} from 'discord-api-types/v10';
import { WebSocketServer } from 'ws';
import type { GatewayFaults } from '../faults/gateway-faults.ts';
import { RateWindow } from '../rules/limits.ts';
import type { World } from '../world/world.ts';
import { Connection, type Refusal, type Sessions } from './connection.ts';
import type { Identify, Presence, Resume } from './forms.ts';
import { Session } from './session.ts';

const version = '10';

const knownIntents = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce<number>((all, bit) => all | bit, 0);

/** A presence as the bot set it; Discord shows it only if it came slowly enough. */
export interface SetPresence extends Presence {
  readonly at: number;
  readonly isShown: boolean;
}

/** The gateway, with what a test wants to know of it and may do to it. */
export class Gateway {
  readonly faults: GatewayFaults = {
    connections: 'accepted',
    refusals: Number.POSITIVE_INFINITY,
    withholdAcks: false,
    withholdHello: false,
    withholdResumed: false,
  };
  readonly presences: SetPresence[] = [];
  /** How often somebody came, and what became of it. */
  readonly counts = { connected: 0, refused: 0, identified: 0, resumed: 0 };
  readonly #world: World;
  readonly #changed: () => void;
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #connections = new Set<Connection>();
  readonly #sessions = new Map<string, Session>();
  readonly #starts = new RateWindow();
  readonly #presenceRate = new RateWindow();
  #identifiedAt = Number.NEGATIVE_INFINITY;
  #origin = '';

  constructor(world: World, changed: () => void) {
    this.#world = world;
    this.#changed = changed;
    world.listen((happening) => {
      for (const [id, session] of this.#sessions)
        if (session.isAlive(world.clock.now())) session.tell(happening);
        else this.#sessions.delete(id);
    });
  }

  /** Where it is to be found, once it is known. */
  set origin(origin: string) {
    this.#origin = origin;
  }

  /** What `GET /gateway/bot` answers. */
  get information() {
    const { clock, limits } = this.#world;
    const { remaining, resetAfterMs } = this.#starts.left(clock.now(), limits.sessionStarts);
    return {
      url: this.#origin,
      shards: 1,
      session_start_limit: {
        total: limits.sessionStarts.limit,
        remaining,
        reset_after: resetAfterMs,
        max_concurrency: 1,
      },
    };
  }

  /** How many are connected and identified now. */
  get connected(): number {
    return [...this.#connections].filter(({ session }) => session !== undefined).length;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { connections } = this.faults;
    if (connections !== 'accepted' && this.faults.refusals > 0) {
      this.faults.refusals -= 1;
      this.counts.refused += 1;
      if (connections === 'reset') socket.destroy();
      else
        socket.end(`HTTP/1.1 ${connections} Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      this.#changed();
      return;
    }
    const query = new URL(request.url ?? '/', this.#origin).searchParams;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.counts.connected += 1;
      const connection = new Connection({
        socket: webSocket,
        world: this.#world,
        faults: this.faults,
        sessions: this.#asked,
        compress: query.get('compress') === 'zlib-stream',
      });
      this.#connections.add(connection);
      if (query.get('v') !== version) connection.close(GatewayCloseCodes.InvalidAPIVersion);
      else if (query.get('encoding') !== 'json') connection.close(GatewayCloseCodes.DecodeError);
      this.#changed();
    });
  }

  /** Every connection is gone without a word; the sessions stay. */
  drop(): void {
    for (const connection of this.#connections) connection.drop();
  }

  close(code: number): void {
    for (const connection of this.#connections) connection.close(code);
  }

  /** Tells of a server that Discord itself cannot reach, as in an outage: no more than its id. */
  tellOfLostGuild(): void {
    const { id } = this.#world.guild;
    for (const session of this.#sessions.values())
      session.tell({ name: GatewayDispatchEvents.GuildCreate, data: { id, unavailable: true } });
  }

  /** Asks for a beat now. */
  askForBeat(): void {
    for (const connection of this.#connections) connection.say(GatewayOpcodes.Heartbeat, null);
  }

  /** Asks the clients to connect anew, as before maintenance. */
  askToReconnect(): void {
    for (const connection of this.#connections) connection.say(GatewayOpcodes.Reconnect, null);
  }

  /** Tells the clients that their session is invalid, be it for this moment or for ever. */
  invalidate({ canResume }: { readonly canResume: boolean }): void {
    for (const connection of this.#connections) {
      if (connection.session !== undefined) this.#detach(connection.session);
      if (!canResume && connection.session !== undefined) this.#sessions.delete(connection.session.id);
      connection.session = undefined;
      connection.say(GatewayOpcodes.InvalidSession, canResume);
    }
  }

  /** Nobody can go on where they were. */
  forgetSessions(): void {
    this.#sessions.clear();
  }

  readonly #asked: Sessions = {
    begin: (form) => this.#begin(form),
    find: (form) => this.#find(form),
    welcome: (session) => this.#welcome(session),
    setPresence: (presence) => {
      const { clock, limits } = this.#world;
      const { isRefused } = this.#presenceRate.take(clock.now(), limits.presences);
      this.presences.push({ ...presence, at: clock.now(), isShown: !isRefused });
      this.#changed();
    },
    leave: (connection, hasSaidGoodbye) => {
      this.#connections.delete(connection);
      const { session } = connection;
      if (session !== undefined) {
        this.#detach(session);
        if (hasSaidGoodbye) this.#sessions.delete(session.id);
      }
      this.#changed();
    },
  };

  #detach(session: Session): void {
    session.send = undefined;
    session.leftAt = this.#world.clock.now();
  }

  #begin({ token, intents, shard = [0, 1] }: Identify): Session | Refusal {
    const { application, clock, limits } = this.#world;
    if (token !== application.token) return GatewayCloseCodes.AuthenticationFailed;
    const [id, count] = shard;
    if (id < 0 || id >= count) return GatewayCloseCodes.InvalidShard;
    const refusal = this.#refusalOf(intents);
    if (refusal !== undefined) return refusal;
    const now = clock.now();
    if (now - this.#identifiedAt < limits.identifySpacingMs) return 'start again';
    if (this.#starts.take(now, limits.sessionStarts).isRefused) {
      // Whoever starts that often is taken for broken.
      application.resetToken();
      return GatewayCloseCodes.AuthenticationFailed;
    }
    this.#identifiedAt = now;
    this.counts.identified += 1;
    const session = new Session(this.#world, intents, shard);
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Whether these can be asked for, and whether somebody has switched on those that not everybody gets. */
  #refusalOf(intents: number): GatewayCloseCodes | undefined {
    if ((intents & ~knownIntents) !== 0) return GatewayCloseCodes.InvalidIntents;
    const { messageContent, guildMembers, presences } = this.#world.application.privileged;
    const allowed =
      (messageContent || (intents & GatewayIntentBits.MessageContent) === 0) &&
      (guildMembers || (intents & GatewayIntentBits.GuildMembers) === 0) &&
      (presences || (intents & GatewayIntentBits.GuildPresences) === 0);
    return allowed ? undefined : GatewayCloseCodes.DisallowedIntents;
  }

  #find({ token, session_id: id, seq }: Resume): Session | Refusal {
    const { application, clock } = this.#world;
    if (token !== application.token) return GatewayCloseCodes.AuthenticationFailed;
    const session = this.#sessions.get(id);
    if (session === undefined || !session.isAlive(clock.now())) return 'start again';
    if (seq < 0 || seq > session.sequence) return GatewayCloseCodes.InvalidSeq;
    // Whoever held it until now has been replaced.
    for (const connection of this.#connections)
      if (connection.session === session) {
        connection.session = undefined;
        connection.close(GatewayCloseCodes.UnknownError);
      }
    this.counts.resumed += 1;
    this.#changed();
    return session;
  }

  #welcome(session: Session): void {
    const { application, guild, bot } = this.#world;
    session.dispatch(GatewayDispatchEvents.Ready, {
      v: Number(version),
      user: bot.user,
      guilds: [{ id: guild.id, unavailable: true }],
      session_id: session.id,
      resume_gateway_url: `${this.#origin}/resume`,
      shard: session.shard,
      application: { id: application.id, flags: application.flags },
    });
    session.tell({ name: GatewayDispatchEvents.GuildCreate, data: guild.shown() });
    this.#changed();
  }
}
