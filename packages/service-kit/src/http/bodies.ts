import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, RequestPayload } from 'fastify';

/** What is read of a body that nobody wants, so that its sender gets to read the answer; a longer one is cut off. */
const mostDiscardedBytes = 1024 * 1024;

/** Whether a body can follow these headers. */
export function promisesBody({
  'content-length': length,
  'transfer-encoding': encoding,
}: IncomingHttpHeaders): boolean {
  return encoding !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Whether reading what nobody wants could take long; by the standard, the encoding counts before the length. */
export function promisesMuch({
  'content-length': length = '0',
  'transfer-encoding': encoding,
}: IncomingHttpHeaders): boolean {
  return encoding !== undefined || Number(length) > mostDiscardedBytes;
}

/**
 * Makes of a request one without a body. Many clients name a type by default and send nothing of it; the framework would
 * wait for that, or refuse it.
 */
export function withoutBody(headers: IncomingHttpHeaders): void {
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** An empty body is none, whatever its type and however its end is told; what no route takes is not read at all. */
export function ignoreEmptyBodies(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('onRequest', ({ headers, is404 }, reply, done) => {
    if (is404 && promisesMuch(headers)) reply.header('connection', 'close');
    if (is404 || !promisesBody(headers)) withoutBody(headers);
    done();
  });
  server.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    if (headers['transfer-encoding'] === undefined) return done();
    whenBegun(payload, (isEmpty) => {
      if (isEmpty) withoutBody(headers);
      done();
    });
  });
}

/** Calls back once the first byte is there, and leaves it where it is, or once it is clear that none comes. */
function whenBegun(payload: RequestPayload, known: (isEmpty: boolean) => void): void {
  const tell = (isEmpty: boolean) => {
    payload.off('readable', look).off('end', end).off('error', begun);
    known(isEmpty);
  };
  const look = () => {
    if (payload.readableLength > 0) tell(false);
    // Only whoever reads is told of the end.
    else payload.read();
  };
  const end = () => tell(true);
  // Whoever reads on meets it again.
  const begun = () => tell(false);
  payload.on('readable', look).on('end', end).on('error', begun);
}
