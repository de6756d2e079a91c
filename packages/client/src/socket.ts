import { StewardError } from './error.ts';
import { parseExact } from './exact-json.ts';
import type { Event, Topic } from './generated/api.ts';
import type { Signal } from './options.ts';
import type { Target } from './request.ts';
import { gapAt, type Heard, silenceMs } from './stream.ts';
import type { Socket, World } from './tries.ts';

/** After so long without a word the server is asked where it is: a dead line is noticed by that, and one comes back there, however seldom there is something. */
const beatMs = 15_000;

/** What may wait for who is slow, in characters. A socket cannot be told to wait, as a stream can. */
const mostUnread = 1_048_576;

/** A policy is broken, or the key has ended: a request is told the same, and more of it. */
const refusals: ReadonlySet<number> = new Set([1008, 4001]);

interface Asked {
  readonly topics: readonly Topic[] | undefined;
  readonly place: string | undefined;
}

type Message =
  | { type: 'event'; payload: Event }
  | { type: 'subscribed'; payload?: { asEvents?: true; cursor: string; gap: boolean; missed: number } }
  | { type: 'auth_success' | 'auth_failed' | 'chat' | 'error' };

/**
 * Listens by `/ws`. It ends with a StewardError where the connection is lost, and without one where another way had better go on: no
 * socket opens, the server does not let it in, or more comes than is taken.
 */
export async function* socketed(
  { topics, place }: Asked,
  { base, key }: Target,
  signal: Signal | undefined,
  { WebSocket, after }: World,
): AsyncGenerator<Heard, void, undefined> {
  const socket = opened(WebSocket, `${base.replace('http', 'ws')}/ws`);
  if (socket === undefined) return;
  const unread: string[] = [];
  let unreadLength = 0;
  let isOpen = true;
  let why: StewardError | undefined;
  let wake = () => {};
  let unwatch = () => {};
  let unbeat = () => {};
  const end = (error?: StewardError) => {
    if (!isOpen) return;
    isOpen = false;
    why = error;
    unwatch();
    unbeat();
    signal?.removeEventListener('abort', abort);
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
    wake();
  };
  const abort = () => end();
  const watch = (ms: number) => {
    unwatch();
    unwatch = after(ms, () => end(new StewardError('timeout', `The socket was silent for ${ms} ms`)));
  };
  const say = (type: string, payload: object) => socket.send(JSON.stringify({ type, payload }));
  const subscribe = (cursor?: string) => say('subscribe', { topics, cursor, asEvents: true });
  socket.onopen = () => {
    if (key !== undefined) say('auth', { token: key });
    subscribe(place);
  };
  socket.onmessage = ({ data }: { data: unknown }) => {
    const text = String(data);
    unread.push(text);
    unreadLength += text.length;
    watch(silenceMs.between);
    // Not from one to the next: browsers run such timers of a hidden page once a minute.
    unbeat();
    unbeat = after(beatMs, subscribe);
    if (unreadLength > mostUnread) end();
    wake();
  };
  socket.onclose = ({ code }: { code: number }) =>
    end(refusals.has(code) ? undefined : new StewardError('network', `The socket was closed with ${code}`));
  // When it cannot connect, Node 22 fires this and no `close`.
  socket.onerror = () => end(new StewardError('network', 'The socket failed'));
  signal?.addEventListener('abort', abort);
  watch(silenceMs.opening);
  try {
    for (let isSubscribed = false; ; ) {
      const text = unread.shift();
      if (text !== undefined) {
        unreadLength -= text.length;
        const message = messageIn(text);
        if (message?.type === 'subscribed') {
          // A server that does not know how would tell the chat without ids.
          if (!message.payload?.asEvents) return;
          const { cursor, gap, missed } = message.payload;
          isSubscribed = true;
          if (gap && place !== undefined) yield gapAt(place);
          // Otherwise it is the place behind what is to come.
          if (missed === 0) yield { place: cursor };
        } else if (!isSubscribed && !isBefore(message)) return;
        else if (message?.type === 'event') yield { place: message.payload.cursor, event: message.payload };
      } else if (isOpen)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      else if (isSubscribed && why !== undefined) throw why;
      else return;
    }
  } finally {
    end();
  }
}

/** Undefined where there are none, or a page that came by HTTPS may open none by HTTP. */
function opened(WebSocket: World['WebSocket'], url: string): Socket | undefined {
  try {
    return WebSocket && new WebSocket(url);
  } catch {
    return undefined;
  }
}

/** What comes before one has subscribed; of the chat that is no event, and told again. */
function isBefore(message: Message | undefined): boolean {
  return message?.type === 'auth_success' || message?.type === 'chat';
}

/** Undefined where it is none of Steward's. */
function messageIn(text: string): Message | undefined {
  try {
    return parseExact(text) as Message;
  } catch {
    return undefined;
  }
}
