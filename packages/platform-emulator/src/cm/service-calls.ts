import { damaged } from '../faults/fault.ts';
import type { ServiceDirectory } from '../services/service-method.ts';
import { messageNumbers } from '../wire/message-numbers.ts';
import { type CmHandler, type CmRequest, replyTo } from './cm-message.ts';

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
