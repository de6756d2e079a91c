import { hostname } from 'node:os';
import { batchOf, type Logger } from './logger.ts';

export interface AnsweredRequest {
  readonly requestId: string;
  readonly status: number;
  readonly ms: number;
  readonly method: string;
  readonly path: string;
  /** Where it came from, where that is worth telling. */
  readonly client?: string | undefined;
}

const levels = { debug: 20, info: 30 } as const;

/** Characters that JSON text cannot hold as they are, or that are rare enough to be left to JSON.stringify. */
const unsafe = /[^ !#-[\]-~]/;

/**
 * Something asks for the health every few seconds for as long as a service runs; that all is well is worth a line to
 * nobody but who looks for it.
 */
function levelOf({ path, status }: AnsweredRequest): 'debug' | 'info' {
  return path === '/health' && status === 200 ? 'debug' : 'info';
}

/**
 * Writes the line of an answered request. Every request has one, so a batched JSON log gets it as text that is put
 * together here, with the same members that pino would write and at a fraction of its time.
 */
export function requestLines(logger: Logger): (answered: AnsweredRequest) => void {
  const lines = batchOf(logger);
  if (lines === undefined) {
    return (answered) => {
      const { requestId, status, ms, client, method, path } = answered;
      logger[levelOf(answered)]({ requestId, status, ms, client }, `${method} ${path}`);
    };
  }
  const bindings = { pid: process.pid, hostname: hostname(), ...logger.bindings() };
  const bound = JSON.stringify(bindings).slice(1, -1);
  const time = currentTime();
  const message = lastMessage();
  return (answered) => {
    const level = levelOf(answered);
    if (!logger.isLevelEnabled(level)) return;
    const { requestId, status, ms, client, method, path } = answered;
    const from = client === undefined ? '' : `,"client":${JSON.stringify(client)}`;
    lines.lastLevel = levels[level];
    lines.write(
      `{"level":${levels[level]},"time":"${time()}",${bound},"requestId":"${requestId}","status":${status},"ms":${ms}${from},"msg":${message(method, path)}}\n`,
    );
  };
}

/** The message as JSON; the text is made once for as long as the same is asked for. */
function lastMessage(): (method: string, path: string) => string {
  let of = { method: '', path: '', text: '" "' };
  return (method, path) => {
    if (of.path !== path || of.method !== method) {
      const message = `${method} ${path}`;
      of = { method, path, text: unsafe.test(message) ? JSON.stringify(message) : `"${message}"` };
    }
    return of.text;
  };
}

/** The time in ISO 8601; the text is made once for each millisecond. */
function currentTime(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}
