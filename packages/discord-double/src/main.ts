import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithReader } from '@steward/service-kit/process/ending';
import { Discord } from './discord.ts';
import type { Entered } from './people/entered-options.ts';
import type { Interaction } from './world/interaction.ts';

/** The last is a terminal that was closed, or a reader of the output that went away. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'];

endWithReader();
const discord = await Discord.start();
/** May everything, and so is offered every command. */
const you = discord.guild.owner;

write(`Discord's double is up.

  API      ${discord.api}
  token    ${discord.token}
  guild    ${discord.guild.id}
  channel  ${discord.channel.id}

What you type is said in the channel; /status uses a command, /kick player=ann its options.
Ctrl-C ends it.
`);

discord.world.listen((happening) => {
  if (happening.name !== 'MESSAGE_CREATE') return;
  const { author, content, interaction_metadata: isAnswer } = happening.message;
  if (author.id !== you.user.id && isAnswer === undefined) write(`${author.username}: ${content}`);
});

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.startsWith('/')) use(line);
  else if (line.trim() !== '') discord.people.say(you, line);
});

await Promise.race(endings.map((signal) => once(process, signal)));
await discord[Symbol.asyncDispose]();
process.exit(0);

function use(line: string): void {
  try {
    const { words, options } = typed(line);
    void show(discord.people.use(you, words, options));
  } catch (error) {
    // What a client would not have let pass.
    write(`! ${error instanceof Error ? error.message : error}`);
  }
}

async function show(interaction: Interaction): Promise<void> {
  const answer = await interaction.answer();
  if (answer === undefined) write('! The application did not respond.');
  else write(`${answer.isEphemeral ? '(only you see this) ' : ''}${answer.content}`);
}

/** `/backup create name="before winter"` */
function typed(line: string): { words: string; options: Record<string, Entered> } {
  const option = /\s+([^\s=]+)=(?:"([^"]*)"|(\S+))/g;
  const options = [...line.matchAll(option)].map(
    ([, name = '', quoted, plain = '']) => [name, quoted ?? asValue(plain)] as const,
  );
  return { words: line.replaceAll(option, '').trim(), options: Object.fromEntries(options) };
}

/** Text that looks like a number is written in quotes. */
function asValue(text: string): Entered {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}
