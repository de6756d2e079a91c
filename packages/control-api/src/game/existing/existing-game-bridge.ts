import { Backoff, type BackoffSettings, pause } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import type { Command } from '@steward/shared/bridge/commands';
import { type SavedFarm, savedFarm } from '@steward/shared/bridge/farms';
import type { AskedName, AskedResult } from '@steward/shared/bridge/methods';
import { protocolVersion } from '@steward/shared/bridge/protocol';
import { isChatCommand } from '@steward/shared/chat/line';
import { Problem } from '@steward/shared/problems/problem';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { BridgeCore, type CoreParts } from '../bridge-core.ts';
import type { GameHolder } from '../game-bridge.ts';
import type { RunOptions } from '../operations/game-commands.ts';
import type { CommandResult } from '../operations/operation.ts';
import type { ShownSection, TickState } from '../state/bridge-state.ts';
import { TickMeter, type TickPace } from '../state/tick-meter.ts';
import { type ExistingHealth, existingPicture, unheard } from './existing-answers.ts';
import { ExistingChatKeeper } from './existing-chat-keeper.ts';
import { ExistingClient, ExistingUnreachable } from './existing-client.ts';
import { existingCapabilities, existingFarmId, existingQuestions } from './existing-commands.ts';
import { happeningsBetween } from './existing-happenings.ts';
import type { ExistingLimits } from './existing-limits.ts';
import { ExistingLink } from './existing-link.ts';
import { ExistingWatch } from './existing-watch.ts';

export interface ExistingBridgeParts extends CoreParts {
  readonly url: URL;
  readonly key: Secret | undefined;
  readonly existingLimits: ExistingLimits;
  readonly random: () => number;
  readonly backoff: BackoffSettings;
}

const capabilities: ReadonlySet<string> = new Set(existingCapabilities);

/** The bridge over the existing server's own API. What that server cannot do is missing among the capabilities. */
export class ExistingGameBridge extends BridgeCore {
  readonly #parts: ExistingBridgeParts;
  readonly #client: ExistingClient;
  readonly #backoff: Backoff;
  readonly #chat: ExistingChatKeeper;
  readonly #stopping = new AbortController();
  #link: ExistingLink | undefined;
  /** The last that there was: what it read is shown until there is another. */
  #watched: ExistingWatch | undefined;
  #ticks: { count: number; at: number } | undefined;
  #meter: TickMeter;
  #done: Promise<void> = Promise.resolve();
  /** What there is to do about its being away, as far as it was told since it was there last. */
  readonly #toldAway = new Set<string | undefined>();

  constructor(parts: ExistingBridgeParts) {
    const { clock, log, url, key, existingLimits, random, backoff } = parts;
    super(parts, {
      status: 'waiting',
      why: `waiting for the existing server at ${url.origin}`,
      selfHosted: unheard,
      keepsJournal: false,
    });
    this.#parts = parts;
    this.#meter = new TickMeter(parts.limits.slowMs);
    this.#client = new ExistingClient({ url, key, limits: existingLimits });
    this.#backoff = new Backoff(backoff, random);
    this.#chat = new ExistingChatKeeper({
      url,
      key,
      clock,
      random,
      backoff,
      log,
      limits: existingLimits,
      heard: (playerName, message) => this.#chatHeard(playerName, message),
      lost: (lost) => this.keeper.chatLost(lost),
    });
  }

  async start(): Promise<void> {
    this.isStarted = true;
    await this.operations.load();
    this.#done = this.#keepWatching();
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(new Error('the control API is stopping'));
    this.#chat.close();
    await this.#done;
    this.sayStopping();
    await this.operations.close();
  }

  /** It is stopped by whoever runs it; should it come back before it is given back, nobody here can keep it away. */
  async holdGame(_holder: GameHolder, _why: MendableTrouble): Promise<void> {
    if (this.#link === undefined && !(await this.#client.isThere())) return;
    throw new Problem(
      'game-running',
      `The existing server at ${this.#parts.url.origin} takes connections, so it runs, and this service cannot stop it: stop its container (docker compose stop <its service>; on Kubernetes as docs/kubernetes.md says), try again, and start it when that is done`,
    );
  }

  giveGameBack(_holder: GameHolder): boolean {
    return true;
  }

  get startsGame(): boolean {
    return false;
  }

  get output(): undefined {
    return undefined;
  }

  get ticks(): TickState {
    if (this.#ticks === undefined || this.#link === undefined) return {};
    return { count: this.#ticks.count, ageMs: this.#parts.clock.now() - this.#ticks.at };
  }

  takePace(): TickPace | undefined {
    if (this.#link === undefined) return undefined;
    const pace = this.#meter.take(this.#parts.clock.now());
    if (pace === undefined) return undefined;
    // It is asked every other second, and what lies between its ticks is not heard.
    const { longestGapMs: _, ...heard } = pace;
    return heard;
  }

  pushedAt(sections: readonly ShownSection[]): Date | undefined {
    return this.#watched?.pushedAt(sections);
  }

  run(command: Command, options: RunOptions = {}): Promise<CommandResult> {
    const { name } = command;
    // It will not learn to while it is away, so that this is no matter of waiting.
    if (!capabilities.has(name)) return Promise.resolve({ kind: 'unsupported', command: name });
    return this.commands.run(command, this.#link, options);
  }

  async ask<Name extends AskedName>(name: Name): Promise<AskedResult<Name>> {
    if (this.#link === undefined) throw this.notNow(this.keeper.state.link.reason);
    // The name says which of the two it is; no type can follow it through the choice.
    const answer: unknown = name === 'farms' ? { farms: [this.#farm()] } : await this.#picture();
    return answer as AskedResult<Name>;
  }

  /** It tells of the farm that it has loaded, and of no other. */
  #farm(): SavedFarm {
    const { farmName = '', ...date } = this.keeper.state.sections.status ?? {};
    const known = savedFarm.pick({ day: true, season: true, year: true }).safeParse(date);
    return { id: existingFarmId, farmName, ...known.data, isLoaded: true };
  }

  async #picture(): Promise<AskedResult<'screenshot'>> {
    const { signal } = this.#stopping;
    const { body } = await this.#client
      .read('/screenshot', existingPicture, signal)
      .catch((error: unknown) => {
        throw this.notNow(
          `The existing server shows nothing: ${error instanceof Error ? error.message : error}`,
        );
      });
    const { success, base64Png: png, error = 'it gave no reason' } = body;
    if (success && png !== undefined) return { png };
    throw new Problem('command-failed', `The existing server cannot: ${error}`);
  }

  async #keepWatching(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const startedAt = this.#parts.clock.now();
      this.#lost(await this.#watch().catch((error: unknown) => error));
      if (signal.aborted) return;
      await pause(this.#backoff.pause(this.#parts.clock.now() - startedAt), this.#parts.clock, signal);
    }
  }

  /** One stretch of that server being there. */
  async #watch(): Promise<never> {
    const { clock, existingLimits } = this.#parts;
    const stretch = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, stretch.signal]);
    try {
      const watch = await ExistingWatch.begin(
        {
          client: this.#client,
          clock,
          limits: existingLimits,
          push: (sections, selfHosted) => this.keeper.push(sections, selfHosted),
          event: (event) => this.events.append(event),
          health: (health, tookMs) => this.#heard(health, tookMs),
        },
        signal,
        this.#watched,
      );
      this.#welcome(watch);
      return await watch.run(signal);
    } finally {
      stretch.abort();
    }
  }

  #welcome(watch: ExistingWatch): void {
    const { sections, selfHosted } = watch;
    const last = this.#watched;
    this.#watched = watch;
    this.#toldAway.clear();
    this.#meter = new TickMeter(this.#parts.limits.slowMs);
    this.#link = new ExistingLink({
      client: this.#client,
      chat: () => this.#chat.ready(),
      chatLost: () => this.keeper.state.chatLost,
      sections: () => watch.sections,
      claim: (id, link) => this.commands.claim(id, link),
      changed: () => watch.look(),
    });
    const game = { name: 'existing server', version: sections.status.serverVersion || 'unknown' };
    const why = `${game.name} ${game.version} is connected`;
    this.#parts.log.info({ from: this.#parts.url.origin }, why);
    this.welcome(
      { protocol: protocolVersion, game, capabilities: [...existingCapabilities, ...existingQuestions] },
      why,
    );
    this.keeper.push(sections, selfHosted);
    // While nobody could look, too.
    for (const event of last === undefined ? [] : happeningsBetween(last, watch)) this.events.append(event);
    this.#chat.open();
  }

  /** It lets through what begins with a blank and a command; that ends here. It names players, and never by their id. */
  #chatHeard(playerName: string, message: string): void {
    if (isChatCommand(message)) return;
    const players = this.keeper.state.sections.players ?? [];
    const same = players.filter(({ name }) => name === playerName);
    const [only] = same.length === 1 ? same : [];
    this.events.append({ type: 'chat.said', data: { playerId: only?.id ?? '0', playerName, message } });
  }

  #heard({ tickCount, lastTickMs = 0, isFrozen }: ExistingHealth, tookMs: number): void {
    const { clock } = this.#parts;
    this.#ticks = { count: tickCount, at: clock.now() - lastTickMs };
    this.#meter.heard(this.#ticks.count, this.#ticks.at);
    this.#meter.cameTo(tookMs);
    const { status } = this.keeper.state.link;
    if (isFrozen && status === 'live')
      this.paced('frozen', `no tick for ${lastTickMs} ms; that server answers`);
    if (!isFrozen && status === 'frozen') this.paced('live', 'the game ticks again');
  }

  #lost(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const link = this.#link;
    this.#link = undefined;
    this.#chat.close();
    if (link !== undefined) this.commands.connectionLost(link, why);
    if (this.#stopping.signal.aborted) return;
    const { link: before } = this.keeper.state;
    const reason = `the existing server at ${this.#parts.url.origin}: ${why}`;
    if (link === undefined && before.reason === reason) return;
    const remedy = error instanceof ExistingUnreachable ? error.remedy : undefined;
    const status = link === undefined && before.status === 'waiting' ? 'waiting' : 'gone';
    // While it starts it is away in many words, and for one thing to do.
    if (this.#toldAway.has(remedy)) this.stand(status, { reason, remedy });
    else this.say(status, { reason, remedy });
    this.#toldAway.add(remedy);
  }
}
