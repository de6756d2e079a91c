import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer that has not begun by then will not come. */
const silenceMs = 10_000;

const noContent = 204;

export interface RawAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long the body is so far, as `content-length` counts it. */
  readonly bodyBytes: number;
  /** Whatever came until the server closed the connection, or the answer was whole. */
  readonly everything: string;
}

/** Sends what no HTTP client would, byte for byte, and reads one answer, of a stream the head, or on until the server closes the connection. */
export async function rawExchange(
  port: number,
  sent: string,
  { untilClosed = false } = {},
): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.setTimeout(silenceMs, () => socket.destroy());
  socket.write(sent, 'latin1');
  const closed = once(socket, 'close');
  while (!socket.destroyed && (untilClosed || !isWhole(received, sent)))
    await Promise.race([once(socket, 'data'), closed]);
  socket.destroy();
  const answer = read(received);
  if (answer === undefined) throw new Error(`no answer to ${JSON.stringify(sent)}`);
  return answer;
}

function isWhole(received: string, sent: string): boolean {
  const answer = read(received);
  if (answer === undefined) return false;
  const isEndless = answer.headers['content-type']?.startsWith('text/event-stream') === true;
  const hasBody = !sent.startsWith('HEAD ') && answer.status !== noContent;
  return isEndless || !hasBody || answer.bodyBytes >= Number(answer.headers['content-length']);
}

function read(everything: string): RawAnswer | undefined {
  const [head = '', ...rest] = everything.replace(/^HTTP\/1\.1 1\d\d .*\r\n\r\n/, '').split('\r\n\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
  if (status === undefined || rest.length === 0) return undefined;
  const headers = head
    .split('\r\n')
    .slice(1)
    .map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(status),
    headers: Object.fromEntries(headers),
    body: Buffer.from(body, 'latin1').toString(),
    bodyBytes: body.length,
    everything,
  };
}
