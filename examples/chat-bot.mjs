// Shows what players say, and says in the game what you type. Node 22 or newer, no packages.
//   API_KEY=… node chat-bot.mjs
import { createInterface } from 'node:readline';

const api = process.env.API ?? 'http://127.0.0.1:8080';
const key = process.env.API_KEY;
const author = process.env.BOT_NAME ?? 'Bot';
const reconnectMs = 1_000 * Number(process.env.RECONNECT_SECONDS ?? 5);
const heartbeatMs = 30_000;

let socket;
let cursor;
let nextId = 1;

process.stdout.on('error', ({ code }) => {
  // Nobody reads any more, as after `| head`. By itself, console.log ignores it.
  if (code === 'EPIPE') process.exit(1);
});

function show(chat) {
  // Players can write line breaks, and control characters that a terminal obeys.
  console.log(`${chat.playerName}: ${chat.message}`.replace(/[\s\p{Cc}\p{Bidi_C}]/gu, ' '));
  cursor = chat.cursor;
}

function connect() {
  const connection = new WebSocket(`${api.replace('http', 'ws')}/ws`);
  const send = (type, payload) => connection.send(JSON.stringify({ type, payload }));
  const held = [];
  let toCome;
  let heartbeat;
  let heard = true;

  const caughtUp = () => {
    for (const chat of held.splice(0)) show(chat);
  };
  connection.onopen = () => {
    if (key) send('auth', { token: key });
    send('resume', { cursor });
    heartbeat = setInterval(() => {
      // A dead connection may never say that it is one.
      if (!heard) return over('no answer');
      heard = false;
      send('ping');
    }, heartbeatMs);
    socket = connection;
  };
  connection.onmessage = ({ data }) => {
    heard = true;
    const { type, payload } = JSON.parse(data);
    if (type === 'chat' && toCome === undefined) held.push(payload);
    else if (type === 'chat') {
      show(payload);
      toCome = Math.max(0, toCome - 1);
      if (toCome === 0) caughtUp();
    } else if (type === 'resumed') {
      if (payload.gap) console.error('some messages are lost');
      toCome = payload.missed;
      if (toCome === 0) {
        cursor = payload.cursor;
        caughtUp();
      }
    } else if (type === 'chat_sent') console.error(`${payload.id}: ${payload.status} ${payload.reason ?? ''}`);
    else if (type === 'auth_failed') console.error(payload.error);
    else if (type === 'error') console.error(payload.message);
  };
  const over = (code) => {
    clearInterval(heartbeat);
    connection.onmessage = connection.onclose = connection.onerror = null;
    connection.close();
    socket = undefined;
    console.error(`disconnected (${code})`);
    // The key is wrong, or has ended: there is no use in coming back with it.
    if (code === 1008 || code === 4001) process.exit(1);
    setTimeout(connect, reconnectMs);
  };
  connection.onclose = ({ code }) => over(code);
  // When it cannot connect, Node 22 fires this and no `close`.
  connection.onerror = () => over('connection failed');
}

createInterface({ input: process.stdin }).on('line', (message) => {
  if (socket === undefined) console.error('not connected');
  else socket.send(JSON.stringify({ type: 'chat_send', payload: { author, message, id: `${nextId++}` } }));
});
connect();
