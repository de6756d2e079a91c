import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { root } from '../prepare/root.mjs';
import { say } from './engine.mjs';

const opening = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'docker-smoke', version: '1' },
};

/** What the profiles `discord` and `mcp` start, beside the real server: a bot that has no account yet, and an assistant's tools. */
export async function tryBots(project) {
  tellsWhatIsMissing(project);
  await assistantSeesTheFarm(project);
}

function tellsWhatIsMissing(project) {
  const [program, ...args] = project.command(
    '--profile',
    'discord',
    'run',
    '--rm',
    '-T',
    'discord-bot',
    'check',
  );
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    env: project.env,
    encoding: 'utf8',
  });
  const said = stdout + stderr;
  if (status === 0 || !said.includes('DISCORD_TOKEN is not set'))
    throw new Error(`the Discord bot’s check ended with ${status}: ${said}`);
  say('the Discord bot says what it needs');
}

/** As an assistant's host does it: one process, a line for each message, and its input is closed at the end. */
async function assistantSeesTheFarm(project) {
  const [program, ...args] = project.command('--profile', 'mcp', 'run', '--rm', '-T', 'mcp');
  const child = spawn(program, args, { cwd: root, env: project.env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: opening });
  let seen;
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line);
    if (id === 1) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/call', params: { name: 'get_status', arguments: {} } });
    }
    if (id !== 2) continue;
    seen = result;
    child.stdin.end();
  }
  const [code] = await ended;
  if (code !== 0 || seen === undefined || seen.isError)
    throw new Error(`an assistant’s tools ended with ${code}, and get_status said ${JSON.stringify(seen)}`);
  say('an assistant reads the status of the farm, and its tools end with it');
}
