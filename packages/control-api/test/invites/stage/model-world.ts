import { inviteCode } from '@steward/shared/invite-code';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect } from 'vitest';
import { AppTickets } from '../../../src/invites/app-tickets.ts';
import { Invites } from '../../../src/invites/invites.ts';
import { recoversWithinMs, withdrawnWithinMs } from '../../../src/invites/limits.ts';
import { SidecarClient } from '../../../src/sidecar/sidecar-client.ts';
import { quiet, settled } from '../../game/stage/stage.ts';
import { ModelGame } from './model-game.ts';
import { ModelSidecar } from './model-sidecar.ts';

const sliceMs = 250;
/** A ticket that is being refused, the game's own pause of 20 seconds, and a ticket that it gets; the login is sooner. */
const untilLobbyMs = 40_000;

const windowMs = 10_000;
/** Whatever happens. The first is reached when the game changes what the lobby shall be all the time. */
const mostRequests = 60;
const mostCommands = 12;
/** While nothing happens: five rounds of two looks. */
const mostInCalm = 12;

/** The real invites and the real client of the sidecar, between a model of the sidecar and one of the game. */
export class ModelWorld {
  readonly clock: ManualClock;
  readonly sidecar: ModelSidecar;
  readonly game: ModelGame;
  readonly invites: Invites;
  #deadSince: number | undefined = 0;

  /** `beside`: another farm, whose sidecar this one uses, too. */
  constructor(random: () => number, beside?: ModelWorld) {
    this.clock = beside?.clock ?? new ManualClock();
    this.sidecar = beside?.sidecar ?? new ModelSidecar(this.clock);
    this.game = new ModelGame(this.clock);
    const { clock, game } = this;
    const { ask } = this.sidecar;
    const url = new URL('http://sidecar');
    const sidecar = new SidecarClient({ url, secret: undefined, clock, retryClock: clock, random, ask });
    const tickets = new AppTickets(sidecar);
    game.askForTicket = () => tickets.ask();
    this.invites = new Invites({ bridge: game, sidecar, tickets, clock, random, log: quiet });
    this.invites.start();
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += sliceMs) {
      this.clock.advance(sliceMs);
      await settled();
      this.check();
    }
  }

  /** What holds at every moment. */
  check(): void {
    const { codes } = this.invites.status;
    const { connected, isOnNetwork, lobby } = this.game.truth;
    const network =
      connected && isOnNetwork && lobby !== undefined ? inviteCode('G', BigInt(lobby.id)) : undefined;
    expect(codes.network).toBe(network);
    this.#checkPlatformCode(codes.platform);
    expect(this.#within(this.sidecar.asked.map(({ at }) => at))).toBeLessThanOrEqual(mostRequests);
    expect(this.#within(this.game.ran)).toBeLessThanOrEqual(mostCommands);
  }

  /** What holds once every fault is over, within the time that is promised. */
  async recovers(): Promise<void> {
    this.sidecar.heal();
    this.game.heal();
    await this.#passUntil(untilLobbyMs, () => this.sidecar.isLoggedIn && this.game.truth.lobby !== undefined);
    await this.#passUntil(recoversWithinMs, () => this.#isWhole);
    await this.pass(windowMs);
    expect(this.#within(this.sidecar.asked.map(({ at }) => at))).toBeLessThanOrEqual(mostInCalm);
  }

  async #passUntil(limitMs: number, isSo: () => boolean): Promise<void> {
    for (let passed = 0; passed < limitMs && !isSo(); passed += sliceMs) await this.pass(sliceMs);
    expect(isSo(), JSON.stringify(this.invites.status)).toBe(true);
  }

  /** The S code works while the lobby that the game points to lives on the platform, and leads back to the game. */
  get isPlatformCodeGood(): boolean {
    const { connected, isOnNetwork, lobby, serverId } = this.game.truth;
    const { lobby: platform } = this.sidecar;
    if (!connected || !isOnNetwork || lobby === undefined || platform === undefined) return false;
    return lobby.platformLobbyId === platform.id && platform.gameServerId === serverId;
  }

  get #isWhole(): boolean {
    const { codes, steps } = this.invites.status;
    const isShown = codes.platform !== undefined && codes.network !== undefined;
    return isShown && this.isPlatformCodeGood && steps.every(({ state }) => state === 'ok');
  }

  #checkPlatformCode(shown: string | undefined): void {
    const now = this.clock.now();
    // The sidecar itself takes up to a minute to notice that the platform has closed its lobby.
    if (this.isPlatformCodeGood || this.sidecar.isMistaken) this.#deadSince = undefined;
    else this.#deadSince ??= now;
    if (shown === undefined || this.#deadSince === undefined) return;
    expect(now - this.#deadSince, `${shown} is shown and dead`).toBeLessThanOrEqual(withdrawnWithinMs);
  }

  #within(times: readonly number[]): number {
    const from = this.clock.now() - windowMs;
    return times.length - times.findLastIndex((at) => at <= from) - 1;
  }
}
