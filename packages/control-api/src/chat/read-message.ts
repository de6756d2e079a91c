import { readJson } from '@steward/service-kit/json';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import {
  type ClientMessage,
  clientMessage,
  envelope,
  isClientMessageType,
  messageId,
} from '@steward/shared/chat/client-messages';
import type { ChatErrorCode } from '@steward/shared/chat/rules';

export type ReadMessage =
  | { readonly ok: true; readonly message: ClientMessage; readonly id: string | undefined }
  | {
      readonly ok: false;
      readonly code: ChatErrorCode;
      readonly why: string;
      readonly type?: string;
      /** What its sender knows it by: an answer to it carries the same. */
      readonly id?: string | undefined;
    };

const longestShown = 40;

/** What a client sent, or what is wrong with it in words for its author. */
export function readMessage(data: Buffer, isBinary: boolean): ReadMessage {
  if (isBinary) return malformed('Send text, not binary frames');
  const json = readJson(data.toString());
  if (json === undefined) return malformed('The message is not JSON');
  const outer = envelope.safeParse(json);
  if (!outer.success)
    return malformed('A message is a JSON object with a text `type` and optionally an object `payload`');
  const { type, payload } = outer.data;
  const { data: id } = messageId.safeParse(payload?.['id']);
  if (!isClientMessageType(type))
    return {
      ok: false,
      code: 'unknown-type',
      why: `There is no message type ${JSON.stringify(type.slice(0, longestShown))} for clients`,
      type,
      id,
    };
  const parsed = clientMessage.safeParse(json);
  if (parsed.success) return { ok: true, message: parsed.data, id };
  return { ...malformed(`${type}: ${firstIssue(parsed.error)}`), type, id };
}

function malformed(why: string) {
  return { ok: false, code: 'malformed-message', why } as const;
}
