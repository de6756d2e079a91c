import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { say } from './engine.mjs';
import { json, until } from './until.mjs';

export const demo = ['demo-platform', 'demo-platform-auth', 'demo-server', 'demo'];

// The farm signs in, opens its lobby and links it; each step tries again within 20 s.
const joinableWithinMs = 90_000;
// A new character takes up to a minute, and its name comes later.
const joinsWithinMs = 120_000;

// Runs in the server's container, whose Node has a WebSocket of its own: says something, then waits to be answered.
const bot = `
  const farm = new WebSocket('ws://127.0.0.1:8080/ws');
  const send = (type, payload) => farm.send(JSON.stringify({ type, payload }));
  farm.onopen = () => send('chat_send', { id: 'first', author: 'bot', message: 'hello from the bot' });
  farm.onmessage = ({ data }) => {
    const { type, payload } = JSON.parse(data);
    if (type === 'chat_sent') console.log(payload.status);
    if (type === 'chat' && payload.message === 'good morning, bot') process.exit(0);
  };
  setTimeout(() => process.exit(1), 60000);
`;

/** The demo as a newcomer starts it: its first code appears, a player joins by it, and a bot talks with them. */
export async function tryDemo(project, port) {
  await project.up(['demo'], demo);
  const api = `http://127.0.0.1:${port}`;
  await joinable(api);
  say(`players join the demo by ${(await json(`${api}/invite-code`)).inviteCode}`);
  await playerJoins(project, api, 'Robin');
  await botTalks(project, 'Robin');
}

export async function joinable(api, withinMs = joinableWithinMs) {
  await until(`players can join ${api}`, withinMs, async () => (await json(`${api}/status`))?.isJoinable);
}

export async function playerJoins(project, api, name, game = 'demo') {
  // By the code of the primary platform, which may come after the farm is joinable by the other.
  await until(
    `${api} has that code`,
    joinsWithinMs,
    async () => (await json(`${api}/status`))?.steamInviteCode,
  );
  const answer = project.inside(game, 'node', 'dist/farm.js', 'join', name);
  await until(`${name} is among the players`, joinsWithinMs, async () =>
    (await json(`${api}/players`))?.players.some((player) => player.name === name),
  );
  say(`the farm says: ${answer}`);
}

async function botTalks(project, name) {
  const args = ['exec', project.container('demo-server'), 'node', '-e', bot];
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [status] = await once(child.stdout, 'data');
  if (`${status}`.trim() !== 'delivered') throw new Error(`what the bot said was ${status}`);
  project.inside('demo', 'node', 'dist/farm.js', 'say', name, 'good', 'morning,', 'bot');
  const [code] = await ended;
  if (code !== 0) throw new Error(`the bot never heard ${name}`);
  say(`a bot said something, and heard what ${name} answered`);
}
