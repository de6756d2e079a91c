import { StewardError } from './error.ts';
import type { FarmOperations } from './generated/api.ts';
import type { WriteOptions } from './options.ts';

/** What became of a line. */
export interface ChatReceipt {
  /** `refused`: it was not shown, and never will be. `unknown`: nobody knows. */
  status: 'delivered' | 'refused' | 'unknown';
  /** Why it is not known to be delivered, for a person. */
  reason?: string;
  /** It was longer than what can be shown, and cut. */
  truncated?: true;
  /** Where it was cut: how many characters were shown. */
  length?: number;
  /** Where the game was given it: `getOperation` may tell later what became of it. */
  operationId?: string;
}

export interface Chat {
  /**
   * Says one line in the game, once. It is tried again as every change is. An error is thrown where it is the key that is wrong, or
   * the signal ended the call; whatever else becomes of a line is its receipt.
   */
  say(author: string, text: string, options?: WriteOptions): Promise<ChatReceipt>;
}

/** More than any server shows, and little enough for an address, through proxies too. */
const most = { line: 500, author: 50 } as const;

/**
 * By a request, which can be asked about again under its key: a receipt that is lost on a socket is lost for good.
 *
 * @internal
 */
export function chatOver({ sendChat }: Pick<FarmOperations, 'sendChat'>): Chat {
  return {
    async say(author, text, options) {
      try {
        const message = beginning(text, most.line);
        const { status, operationId, truncated, length } = await sendChat(
          { author: beginning(author, most.author), message },
          options,
        );
        return { status, operationId, ...(truncated && length !== undefined ? { truncated, length } : {}) };
      } catch (error) {
        if (!(error instanceof StewardError) || isOfTheCall(error)) throw error;
        return receiptOf(error);
      }
    },
  };
}

/** What a server makes one space of is one here, so that it counts as there. */
function beginning(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  return Array.from(text.replace(/\s+/gu, ' ').trim()).slice(0, longest).join('');
}

/** The next line would fare no better. */
function isOfTheCall({ code, status }: StewardError): boolean {
  return code === 'aborted' || status === 401 || status === 403;
}

function receiptOf({ applied, operationId, detail: reason }: StewardError): ChatReceipt {
  return {
    status: applied === null ? 'unknown' : 'refused',
    reason,
    ...(operationId === undefined ? {} : { operationId }),
  };
}
