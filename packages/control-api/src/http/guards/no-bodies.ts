import { promisesBody, withoutBody } from '@steward/service-kit/http/bodies';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import type { RequestPayload } from 'fastify';

/** More than anybody writes around nothing. */
const mostBytes = 16 * 1024;

/** What HTTP clients send by default where they are given nothing to send. */
const emptyObject = /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/;

/** No route here takes a body. One that says anything holds parameters that would silently count for nothing. */
export function refuseBodies(server: HttpServer): void {
  server.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    if (!promisesBody(headers)) return done();
    if (Number(headers['content-length']) > mostBytes) return done(unexpected());
    readShort(payload, (text) => {
      if (text === undefined || !emptyObject.test(text)) return done(unexpected());
      withoutBody(headers);
      done();
    });
  });
}

function unexpected(): Problem {
  return new Problem(
    'unexpected-body',
    'Send parameters in the query string, as in ?name=value, and no body or an empty one',
  );
}

/** Calls back with the whole text, or with undefined as soon as it is too long or breaks off. */
function readShort(payload: RequestPayload, read: (text: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const tell = (text: string | undefined) => {
    payload.off('data', data).off('end', end).off('error', broken);
    read(text);
  };
  const data = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > mostBytes) tell(undefined);
  };
  const end = () => tell(Buffer.concat(chunks).toString());
  const broken = () => tell(undefined);
  payload.on('data', data).on('end', end).on('error', broken);
  payload.resume();
}
