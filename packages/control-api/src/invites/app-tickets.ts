import type { AppTicketResult } from '@steward/shared/bridge/methods';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { troubleText } from '@steward/shared/problems/trouble';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { TicketFact } from './facts.ts';
import { noSidecar } from './invite-status.ts';

/** Asks for the game's app tickets. Tickets pass through and are never kept. */
export class AppTickets {
  readonly #sidecar: SidecarClient | undefined;
  #fact: TicketFact = { kind: 'unasked' };
  #asking: ReturnType<SidecarClient['appTicket']> | undefined;
  #games = 0;
  #tell = (): void => {};

  constructor(sidecar: SidecarClient | undefined) {
    this.#sidecar = sidecar;
  }

  get fact(): TicketFact {
    return this.#fact;
  }

  onChange(tell: () => void): void {
    this.#tell = tell;
  }

  /** However often games ask, one request is under way. A refusal's reason says what mends it. */
  async ask(): Promise<Parsed<AppTicketResult>> {
    if (this.#sidecar === undefined) return refused(noSidecar);
    const game = this.#games;
    // Each try to sign in takes a new one: the one that it was given is not lost by that.
    if (this.#fact.kind !== 'given') this.#become({ kind: 'asked' });
    this.#asking ??= this.#sidecar.appTicket().finally(() => {
      this.#asking = undefined;
    });
    const answer = await this.#asking;
    // What a game that is gone was given is no news of the next one.
    const tell = (fact: TicketFact): void => {
      if (game === this.#games) this.#become(fact);
    };
    if (!answer.ok) {
      const { reason, remedy } = answer.refusal;
      tell({ kind: 'refused', reason, remedy });
      return refused(troubleText(answer.refusal));
    }
    tell({ kind: 'given' });
    return accepted({ ticket: answer.value.app_ticket, platformId: answer.value.platform_id });
  }

  /** Another game, or the same one anew: what an earlier one was given is of no use to it. */
  forget(): void {
    this.#games += 1;
    this.#become({ kind: 'unasked' });
  }

  #become(fact: TicketFact): void {
    this.#fact = fact;
    this.#tell();
  }
}
