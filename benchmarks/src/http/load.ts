import { connect, type Socket } from 'node:net';

export interface Load {
  readonly answers: number;
  readonly requestsPerSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** What is asked for. */
export interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** More answers than any server here gives in one measurement. */
const mostAnswers = 2_000_000;

/**
 * Sends what is asked over and over, each in its turn, on each of some connections, the next when the answer to the last is
 * complete. It does so little for each that the server, not this client, is what is measured.
 */
export async function load(
  origin: string,
  asked: Asked | readonly Asked[],
  { connections, ms }: { connections: number; ms: number },
): Promise<Load> {
  const { hostname, port, host } = new URL(origin);
  const requests = [asked].flat().map((one) => requestOf(one, host));
  let sent = 0;
  const next = () => {
    sent += 1;
    return requests[sent % requests.length] ?? Buffer.alloc(0);
  };
  const latencies = new Float64Array(mostAnswers);
  let answers = 0;
  const started = performance.now();
  const end = started + ms;
  await Promise.all(
    Array.from({ length: connections }, () =>
      exchange(connect(Number(port), hostname), next, (latency) => {
        latencies[answers] = latency;
        answers += 1;
        return performance.now() < end;
      }),
    ),
  );
  const sorted = latencies.subarray(0, answers).sort();
  return {
    answers,
    requestsPerSecond: (answers / (performance.now() - started)) * 1_000,
    medianMs: sorted[Math.floor(answers * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(answers * 0.99)] ?? Number.NaN,
  };
}

function requestOf({ path, headers }: Asked, host: string): Buffer {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
}

/** One connection, until `answered` says that it was enough. */
function exchange(socket: Socket, next: () => Buffer, answered: (latency: number) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let held: Buffer | undefined;
    const send = () => {
      sentAt = performance.now();
      socket.write(next());
    };
    socket.setNoDelay(true);
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      held = held === undefined ? chunk : Buffer.concat([held, chunk]);
      if (!isComplete(held)) return;
      held = undefined;
      if (answered(performance.now() - sentAt)) send();
      else socket.end();
    });
  });
}

function isComplete(answer: Buffer): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const head = answer.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`no success: ${answer.toString()}`);
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`without a length: ${head}`);
  return answer.length >= headEnd + 4 + Number(length);
}
