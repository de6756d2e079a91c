import type { Configuration, logVariables } from '@steward/service-kit/configuration/variable';
import { forTerminal, inOneLine } from '@steward/service-kit/text/terminal';

interface Write {
  (message: string): void;
  (facts: object, message: string): void;
}

/** A line of the log each, as the services write them; their logger would take a tenth of the memory that the bot has. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
}

const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 70 } as const;

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function createLog(
  { LOG_LEVEL, LOG_FORMAT }: Configuration<typeof logVariables>,
  output: Output,
): Log {
  const isPretty = LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && output.isTTY === true);
  const at =
    (level: keyof typeof levels): Write =>
    (...said: [string] | [object, string]) => {
      const [facts, message] = said.length === 1 ? [{}, ...said] : said;
      if (levels[level] < levels[LOG_LEVEL]) return;
      const time = new Date().toISOString();
      const line = isPretty
        ? `[${time.slice(11, 19)}] ${level.toUpperCase()}: ${inOneLine(message)}${shown(facts)}`
        : JSON.stringify({ level: levels[level], time, name: 'discord-bot', ...plain(facts), msg: message });
      // What others wrote stands in it, too, and somebody may read it on a terminal.
      output.write(`${forTerminal(line)}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') };
}

function shown(facts: object): string {
  const given = Object.entries(plain(facts)).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(given))}`;
}

function plain(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, value instanceof Error ? value.stack : value]),
  );
}
