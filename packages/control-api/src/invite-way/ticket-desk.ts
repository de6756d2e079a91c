import type { AppTicketResult } from '@steward/shared/bridge/questions';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { refusalText } from '../sidecar/sidecar-answer.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { TicketFact } from './facts.ts';
import { noSidecar } from './picture.ts';

/** Asks for the game's app tickets. Tickets pass through and are never kept. */
export class TicketDesk {
  readonly #sidecar: SidecarClient | undefined;
  #fact: TicketFact = { kind: 'unasked' };
  #asking: Promise<Parsed<AppTicketResult>> | undefined;
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

  /** However often a game asks, one request is under way. A refusal's reason says what mends it. */
  ask(): Promise<Parsed<AppTicketResult>> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Another game, or the same one anew: what an earlier one was given is of no use to it. */
  forget(): void {
    this.#become({ kind: 'unasked' });
  }

  async #ask(): Promise<Parsed<AppTicketResult>> {
    if (this.#sidecar === undefined) return refused(noSidecar);
    this.#become({ kind: 'asked' });
    const answer = await this.#sidecar.appTicket();
    if (!answer.ok) {
      const { reason, remedy } = answer.refusal;
      this.#become({ kind: 'refused', reason, ...(remedy === undefined ? {} : { remedy }) });
      return refused(refusalText(answer.refusal));
    }
    this.#become({ kind: 'given' });
    return accepted({ ticket: answer.value.app_ticket, platformId: answer.value.platform_id });
  }

  #become(fact: TicketFact): void {
    this.#fact = fact;
    this.#tell();
  }
}
