import { say } from './engine.mjs';
import { json, until } from './until.mjs';

export const real = ['platform-auth', 'server'];

const toldWithinMs = 30_000;
const asksSidecar = `fetch('http://platform-auth:3001/health').then((answer) => process.exit(answer.ok ? 0 : 1))`;

/** A real server before its setup: it stays up, and says in the log and in /status what to do. */
export async function meetNewOperator(project, port) {
  await project.up(real);
  project.inside('server', 'node', '-e', asksSidecar);
  const login = await until('/status tells why there is no code', toldWithinMs, async () => {
    const status = await json(`http://127.0.0.1:${port}/status`);
    return status?.inviteWay?.find(({ step, state }) => step === 'login' && state === 'failed');
  });
  tells('/status', `${login.reason}. ${login.remedy}`);
  tells("the sidecar's log", project.log('platform-auth'));
  if (!project.log('server').includes('API_KEY is not set')) throw new Error('nobody is told to set API_KEY');
  for (const service of real) {
    const restarts = project.inspect(service, '{{.RestartCount}}');
    if (restarts !== '0') throw new Error(`${service} restarted ${restarts} times for want of an account`);
  }
}

function tells(where, text) {
  for (const part of ['No platform account is known', '`platform-auth login`']) {
    if (!text.includes(part)) throw new Error(`${where} does not say "${part}": ${text}`);
  }
  say(`${where} says that there is no account, and what to run`);
}
