import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { exitCode, OperatorError } from '@steward/service-kit/process/errors';
import { forTerminal } from '@steward/service-kit/text/terminal';
import { offered } from './commands/table.ts';
import { variables } from './configuration.ts';
import { reasonOf } from './discord/errors.ts';
import { standingOf } from './discord/standing.ts';
import { channelOf, doorsOf, scopesOf } from './doors.ts';

/** A line for each thing that the bot needs; it connects to nothing for longer than a question takes. */
export async function check(): Promise<number> {
  const configuration = readConfiguration(variables, process.env);
  const { api, farm } = doorsOf(configuration, systemClock);
  const discord = await looked('Discord', async () => {
    const { name, guild, channelName, webhook, advice } = await standingOf(api, channelOf(configuration));
    const how = webhook === undefined ? 'by itself' : 'under the names of players';
    return [`${name} may write in #${channelName} of ${guild.name}, ${how}`, ...advice];
  });
  const steward = await looked('Farm', async () => {
    const scopes = await scopesOf(farm);
    const names = offered(scopes, undefined).map(({ name }) => `/${name}`);
    return [`the key has the scopes ${[...scopes].join(', ')}`, `commands: ${names.join(' ')}`];
  });
  return discord && steward ? exitCode.ok : exitCode.failure;
}

async function looked(whom: string, look: () => Promise<readonly string[]>): Promise<boolean> {
  try {
    for (const line of await look()) say(`ok    ${whom}: ${line}`);
    return true;
  } catch (error) {
    const lines = error instanceof OperatorError ? error.lines : [reasonOf(error)];
    for (const line of lines) say(`wrong ${whom}: ${line}`);
    return false;
  }
}

/** Names of servers and channels are whatever somebody has called them. */
function say(line: string): void {
  process.stdout.write(`${forTerminal(line)}\n`);
}
