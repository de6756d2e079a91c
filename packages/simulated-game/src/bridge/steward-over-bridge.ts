import { requestsOfGame } from '@steward/shared/bridge/methods';
import type { Answer as Answered, JsonRpcPeer } from '@steward/shared/bridge/peer';
import { bridgeTiming } from '@steward/shared/bridge/protocol';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { z } from 'zod';
import type { Answer, Steward } from '../steward/steward.ts';

/** The four questions, put to whoever is connected. Answers reach the farm in its own loop, never between two ticks. */
export class StewardOverBridge implements Steward {
  readonly #inLoop: (action: () => void) => void;
  #peer: JsonRpcPeer | undefined;

  constructor(inLoop: (action: () => void) => void) {
    this.#inLoop = inLoop;
  }

  connected(peer: JsonRpcPeer | undefined): void {
    this.#peer = peer;
  }

  visibleSlots: Steward['visibleSlots'] = (question, answer) => {
    this.#ask('visibleSlots', question, answer, (result) => result);
  };

  mayJoin: Steward['mayJoin'] = (question, answer) => {
    this.#ask('mayJoin', question, answer, (result) => result);
  };

  lobbyVisibility: Steward['lobbyVisibility'] = (question, answer) => {
    this.#ask('lobbyVisibility', question, answer, ({ visibility }) => visibility);
  };

  appTicket: Steward['appTicket'] = (answer) => {
    this.#ask('appTicket', {}, answer, (result) => result);
  };

  /** Whether a command may be applied. */
  claim(command: string, answer: Answer<boolean>): void {
    this.#ask('claim', { command }, answer, ({ granted }) => granted);
  }

  #ask<Method extends keyof typeof requestsOfGame, T>(
    method: Method,
    params: object,
    answer: Answer<T>,
    take: (result: z.infer<(typeof requestsOfGame)[Method]['result']>) => T,
  ): void {
    const inLoop = (given: Parsed<T>) => this.#inLoop(() => answer(given));
    if (this.#peer === undefined) {
      inLoop(refused('the control API is not connected'));
      return;
    }
    // A claim is granted or refused, however long it takes: to give it up could only be guessing.
    const deadlineMs = method === 'claim' ? undefined : bridgeTiming.question;
    const answered = (given: Answered) => {
      if (given.kind !== 'result') {
        inLoop(refused(given.message));
        return;
      }
      const result = requestsOfGame[method].result.safeParse(given.result);
      if (!result.success) inLoop(refused(`the answer to ${method} cannot be read`));
      else inLoop(accepted(take(result.data as z.infer<(typeof requestsOfGame)[Method]['result']>)));
    };
    this.#peer.request(method, { ...params }, answered, deadlineMs);
  }
}
