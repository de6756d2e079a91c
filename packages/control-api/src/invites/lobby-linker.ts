import { Backoff, type Clock, type Timer } from '@steward/service-kit/clock';
import type { Trouble } from '@steward/shared/problems/trouble';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult } from '../game/operations/operation.ts';
import type { LobbyLinkFact, SidecarFacts } from './facts.ts';
import { inviteLimits } from './limits.ts';
import { gameAway } from './step-finding.ts';

export interface LobbyLinkerParts {
  readonly bridge: Pick<GameBridge, 'state' | 'run'>;
  readonly sidecar: () => SidecarFacts;
  readonly clock: Clock;
  readonly random: () => number;
  readonly changed: () => void;
}

const pauses = {
  firstMs: inviteLimits.linkFirstMs,
  factor: 2,
  longestMs: inviteLimits.linkLongestMs,
  steadyMs: Number.POSITIVE_INFINITY,
};

const updateMod = 'Update the game’s mod: without this command the G code is the only one';

/** Has the game point its lobby to the platform lobby, and away from one that is gone. */
export class LobbyLinker {
  readonly #parts: LobbyLinkerParts;
  #fact: LobbyLinkFact = { kind: 'idle' };
  #pauses: Backoff;
  /** What the last attempts were about: another pair of lobbies begins anew. */
  #about = '';
  #isAsking = false;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(parts: LobbyLinkerParts) {
    this.#parts = parts;
    this.#pauses = new Backoff(pauses, parts.random);
  }

  get fact(): LobbyLinkFact {
    return this.#fact;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Called with every news; does what is missing, one attempt at a time, each a pause after the one before. */
  look(): void {
    const wanted = this.#wanted();
    if (wanted === undefined) {
      if (this.#timer === undefined && !this.#isAsking) this.#fact = { kind: 'idle' };
      return;
    }
    if (wanted.about !== this.#about) {
      this.#about = wanted.about;
      this.#pauses = new Backoff(pauses, this.#parts.random);
    }
    if (this.#stopped || this.#isAsking || this.#timer !== undefined) return;
    void this.#link(wanted.platformLobbyId);
  }

  /** Undefined when the game's lobby is as it should be, or nobody knows how it should be. */
  #wanted(): { readonly about: string; readonly platformLobbyId: string | undefined } | undefined {
    const game = this.#parts.bridge.state;
    const lobby = game.sections.networks?.network.lobby;
    if (game.selfHosted !== undefined || gameAway(game) !== undefined || lobby === undefined)
      return undefined;
    const { lobby: answer, published, takenUntil } = this.#parts.sidecar();
    // A sidecar that does not answer says nothing about its lobby, which may well live.
    if (answer?.ok !== true) return undefined;
    // With a link to one that another farm has taken over, our S code would lead players there.
    const isOpen = answer.value.state === 'open' && takenUntil === undefined;
    if (isOpen && published === undefined) return undefined;
    const platformLobbyId = isOpen ? published?.lobbyId : undefined;
    if (lobby.platformLobbyId === platformLobbyId) return undefined;
    return { about: `${lobby.id} to ${platformLobbyId}`, platformLobbyId };
  }

  async #link(platformLobbyId: string | undefined): Promise<void> {
    const { bridge, clock, changed } = this.#parts;
    this.#isAsking = true;
    if (this.#fact.kind !== 'refused') this.#fact = { kind: 'asked' };
    const params = platformLobbyId === undefined ? {} : { platformLobbyId };
    const refusal = refusalOf(await bridge.run({ name: 'linkLobby', params }));
    this.#isAsking = false;
    if (this.#stopped) return;
    // Applied, the game's state is about to say so; until it has, or the pause is over, nothing more is asked.
    const pauseMs = this.#pauses.pause(0);
    const retryAt = new Date(clock.date().getTime() + pauseMs);
    this.#fact = refusal === undefined ? { kind: 'asked' } : { kind: 'refused', ...refusal, retryAt };
    this.#timer = clock.after(pauseMs, () => {
      this.#timer = undefined;
      this.look();
    });
    changed();
  }
}

function refusalOf(result: CommandResult): Trouble | undefined {
  switch (result.kind) {
    case 'operation': {
      const { state, why, outcome } = result.operation;
      if (state === 'applied') return undefined;
      const said = outcome?.outcome === 'refused' ? outcome.message : why;
      return { reason: `The game has not linked its lobby: ${said ?? state}` };
    }
    case 'unsupported':
      return { reason: 'The game has no linkLobby', remedy: updateMod };
    case 'unavailable':
    case 'key-unreadable':
      return { reason: `The game cannot link its lobby: ${result.reason}` };
    case 'key-reused':
      return { reason: 'This key was used for another command' };
  }
}
