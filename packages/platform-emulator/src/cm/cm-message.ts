import { damaged, type Fault } from '../faults/fault-plan.ts';
import type { RecordedRequest } from '../record/request-record.ts';
import type { ServiceDirectory } from '../services/service-method.ts';
import type { FrameHeader } from '../wire/frame.ts';
import { messageNumbers } from '../wire/numbers.ts';
import type { MessageType } from '../wire/protobufs.ts';
import type { CmConnection, CmSession } from './cm-connection.ts';

/** A message on its way through the connection manager, with what is to go wrong with it. */
export interface CmRequest {
  readonly connection: CmConnection;
  readonly header: FrameHeader;
  readonly body: Buffer;
  readonly fault: Fault;
  readonly entry: RecordedRequest;
}

export interface CmHandler {
  /** The EMsg number that it takes. */
  readonly message: number;
  /** Anyone may send it; all other messages of clients that are not logged on are passed over in silence. */
  readonly beforeLogon?: boolean;
  handle(request: CmRequest): void;
}

interface Exchange<Request extends object, Response extends object> {
  readonly request: { readonly message: number; readonly type: MessageType<Request> };
  readonly response: { readonly message: number; readonly type: MessageType<Response> };
  /** Undefined: it is never answered. */
  answer(request: Partial<Request>, session: CmSession): Response | undefined;
  /** The answer when a fault asks for an EResult; absent where the message has no room for one. */
  failure?(request: Partial<Request>, eresult: number): Response;
}

/** A message of a logged-on client that is answered by one other, addressed to the job that waits for it. */
export function exchange<Request extends object, Response extends object>(
  definition: Exchange<Request, Response>,
): CmHandler {
  return {
    message: definition.request.message,
    handle({ connection, header, body, fault, entry }) {
      const { session } = connection;
      if (session === undefined) return;
      const request = definition.request.type.decode(body);
      const failed = fault.eresult === undefined ? undefined : definition.failure?.(request, fault.eresult);
      const answered = failed ?? definition.answer(request, session);
      if (answered === undefined) return;
      if ('eresult' in answered && typeof answered.eresult === 'number') entry.outcome = answered.eresult;
      const response = definition.response.type.encode(answered);
      const sent = damaged(response, fault.damage);
      entry.bytes = sent.length;
      connection.sendEncoded(definition.response.message, sent, replyTo(header));
    },
  };
}

function replyTo({ jobid_source }: FrameHeader): FrameHeader {
  return jobid_source === undefined ? {} : { jobid_target: jobid_source };
}

/** Service methods over the connection manager, called before logon (9804) and after it (151); both are answered by 147. */
export function serviceCallHandlers(services: ServiceDirectory): CmHandler[] {
  const handle = (request: CmRequest) => answerCall(services, request);
  return [
    { message: messageNumbers.ServiceMethodCallFromClientNonAuthed, beforeLogon: true, handle },
    { message: messageNumbers.ServiceMethodCallFromClient, handle },
  ];
}

/** `Authentication.PollAuthSessionStatus` out of `Authentication.PollAuthSessionStatus#1`. */
export function methodName(targetJobName: string | undefined): string {
  return targetJobName?.split('#')[0] ?? '';
}

function answerCall(services: ServiceDirectory, { connection, header, body, fault, entry }: CmRequest): void {
  const account = connection.session?.account;
  // A call that is to fail must not have happened either.
  const answer =
    fault.eresult === undefined
      ? services.call(methodName(header.target_job_name), body, account === undefined ? {} : { account })
      : { eresult: fault.eresult, body: Buffer.alloc(0) };
  entry.outcome = answer.eresult;
  const sent = damaged(answer.body, fault.damage);
  entry.bytes = sent.length;
  connection.sendEncoded(messageNumbers.ServiceMethodResponse, sent, {
    ...replyTo(header),
    ...(header.target_job_name === undefined ? {} : { target_job_name: header.target_job_name }),
    eresult: answer.eresult,
  });
}
