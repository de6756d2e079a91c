import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedRequest } from '../record/request-record.ts';
import { damaged, type Fault, lateness } from './fault-plan.ts';

/** A slow answer goes out in slices this long apart; shorter would busy the loop, longer would come in jerks. */
const sliceMs = 20;

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

/** Answers an HTTP request, with whatever the fault does to it; the bytes that left are counted in the record's entry. */
export async function answerHttp(
  response: ServerResponse,
  answer: HttpAnswer,
  fault: Fault,
  entry: RecordedRequest,
): Promise<void> {
  const late = lateness(fault);
  if (late !== undefined) await late;
  if (fault.stallAtByte === 0) return;
  if (fault.resetAtByte === 0) {
    reset(response);
    return;
  }
  const status = fault.status ?? answer.status;
  const body =
    fault.status === undefined ? damaged(answer.body ?? Buffer.alloc(0), fault.damage) : Buffer.alloc(0);
  const headers = fault.status === undefined ? answer.headers : headersOf(fault);
  entry.outcome = status;
  response.writeHead(status, { ...headers, 'content-length': body.length });
  // Written even when the body is held back, so that the client sees an answer that began.
  response.flushHeaders();
  await send(response, body, fault, entry);
}

function headersOf({ retryAfter }: Fault): OutgoingHttpHeaders {
  return retryAfter === undefined ? {} : { 'retry-after': retryAfter };
}

async function send(
  response: ServerResponse,
  body: Buffer,
  fault: Fault,
  entry: RecordedRequest,
): Promise<void> {
  const end = Math.min(body.length, fault.resetAtByte ?? body.length, fault.stallAtByte ?? body.length);
  const slice = fault.bytesPerSecond === undefined ? end : Math.ceil((fault.bytesPerSecond * sliceMs) / 1000);
  for (let sent = 0; sent < end && !response.destroyed; ) {
    const piece = body.subarray(sent, Math.min(end, sent + slice));
    await new Promise<void>((resolve) => {
      response.write(piece, () => resolve());
    });
    sent += piece.length;
    entry.bytes = sent;
    if (sent < end) await wait(sliceMs, undefined, { ref: false });
  }
  if (fault.stallAtByte !== undefined && end === fault.stallAtByte) return;
  if (fault.resetAtByte !== undefined && end === fault.resetAtByte) {
    reset(response);
    return;
  }
  response.end();
}

function reset(response: ServerResponse): void {
  // A TLS socket has no reset of its own; closing it abruptly is what its client can see.
  const { socket } = response;
  if (socket === null) return;
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
