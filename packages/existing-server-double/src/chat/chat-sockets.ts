import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { ExistingFarm } from '../farm/existing-farm.ts';
import { roundTrip } from '../farm/snapshot.ts';

const policyViolation = 1008;
/** Longer texts vanish. Counted as its runtime counts: in UTF-16 code units. */
export const longestText = 16_384;
/** The first frame is read once, into a buffer of this size. */
const firstReadBytes = 4_096;
/** What is longer is cut. */
const authorLimit = 32;
const messageLimit = 450;

interface ChatSocketsParts {
  readonly farm: ExistingFarm;
  readonly key: string;
  /** How long the first frame may take when there is a key. */
  readonly windowMs: number;
  /** How long the game's thread may take to come to a line. */
  readonly budgetMs: number;
}

interface Frame {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The existing server's `/ws`: whatever it does not understand vanishes without a word. */
export class ChatSockets {
  readonly #parts: ChatSocketsParts;
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #listening = new Set<WebSocket>();

  constructor(parts: ChatSocketsParts) {
    this.#parts = parts;
    parts.farm.on('chat', (playerName, message) =>
      this.#broadcast({ type: 'chat', payload: { playerName, message, timestamp: roundTrip(new Date()) } }),
    );
  }

  get listeners(): number {
    return this.#listening.size;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (client) => this.#accept(client));
  }

  /** As when its process ends: no close frame is sent. */
  drop(): void {
    for (const client of this.#server.clients) client.terminate();
  }

  #accept(client: WebSocket): void {
    client.on('error', () => client.terminate());
    client.on('close', () => this.#listening.delete(client));
    if (this.#parts.key === '') {
      this.#listen(client);
      return;
    }
    // Meant to be an auth_failed and a close; what cancels the read tears the connection down instead.
    const timer = setTimeout(() => client.terminate(), this.#parts.windowMs);
    client.once('message', (data, isBinary) => {
      clearTimeout(timer);
      this.#authenticate(client, data, isBinary);
    });
    client.once('close', () => clearTimeout(timer));
  }

  #authenticate(client: WebSocket, data: RawData, isBinary: boolean): void {
    const bytes = bytesOf(data);
    if (isBinary || bytes.length > firstReadBytes) {
      client.close(policyViolation, 'Expected auth message');
      return;
    }
    const frame = readFrame(bytes.toString());
    if (frame === 'broken') {
      client.terminate();
      return;
    }
    if (frame !== 'none' && frame.type === 'auth' && String(frame.payload['token']) === this.#parts.key) {
      this.#send(client, { type: 'auth_success' });
      this.#listen(client);
      return;
    }
    // The reason stands at the top, not in a payload.
    this.#send(client, { type: 'auth_failed', error: 'Invalid token' });
    client.close(policyViolation, 'Authentication failed');
  }

  /** One message after the other: what comes behind a line waits until the game has taken it, or it is dropped. */
  #listen(client: WebSocket): void {
    this.#listening.add(client);
    let last = Promise.resolve();
    client.on('message', (data, isBinary) => {
      const text = bytesOf(data).toString();
      if (isBinary || text.length > longestText) return;
      const frame = readFrame(text);
      if (frame === 'broken' || frame === 'none') return;
      last = last.then(() => this.#take(client, frame));
    });
  }

  async #take(client: WebSocket, { type, payload }: Frame): Promise<void> {
    if (type === 'ping') this.#send(client, { type: 'pong' });
    if (type !== 'chat_send') return;
    const { author, message } = payload;
    if (typeof author !== 'string' || typeof message !== 'string') return;
    if (author.trim() === '' || message.trim() === '') return;
    const line = webLine(author, message);
    if (line === undefined) return;
    const { farm, budgetMs } = this.#parts;
    // Nobody is told when the game's thread does not come to it.
    await farm.thread.run(() => farm.inGameChat.push(line), budgetMs).catch(() => {});
  }

  #broadcast(frame: object): void {
    for (const client of this.#listening) this.#send(client, frame);
  }

  #send(client: WebSocket, frame: object): void {
    if (client.readyState === client.OPEN) client.send(JSON.stringify(frame));
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

/** A frame as the application sees it. `broken` is what its parser throws at, `none` what it has no use for. */
function readFrame(text: string): Frame | 'broken' | 'none' {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return 'broken';
  }
  if (document === null) return 'none';
  if (!isRecord(document)) return 'broken';
  const { type, payload = {} } = document;
  if (!isRecord(payload)) return 'broken';
  return typeof type === 'string' ? { type, payload } : 'none';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a line from a socket becomes in the game's chat; nothing when there is nothing to say. */
function webLine(author: string, message: string): string | undefined {
  const said = clean(message, messageLimit);
  if (said === '') return undefined;
  return `(Web) ${clean(author, authorLimit) || 'Anonymous'}: ${said}`;
}

function clean(text: string, limit: number): string {
  const tidy = text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .replace(/ +/g, ' ');
  return tidy.length > limit ? `${tidy.slice(0, limit)}...` : tidy;
}
