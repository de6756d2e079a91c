import type { NetConnectOpts } from 'node:net';
import { readCommandLine } from '@steward/service-kit/command-line/options';
import { UsageError } from '@steward/service-kit/process/errors';
import { parseAddress } from '@steward/shared/bridge/address';
import { appTicketResult } from '@steward/shared/bridge/methods';
import { allRules } from './conformance.ts';
import type { Rule } from './rules/rule.ts';

export const usage = `Checks a game against the rules of docs/game-bridge.md.

  bridge-conformance --spawn '["command","argument"]'      starts the game
  bridge-conformance --listen unix:<path>                  waits for the game to dial
  bridge-conformance --listen tcp:<host>:<port> [--secret <text>]

  --rule <id>   checks this rule alone; may be repeated. The rules:
                ${allRules.map(({ id }) => id).join('\n                ')}
  --secret      what the game must send in hello
  --ticket      the app ticket, in base64, that a game gets when it asks for one; without it a game that
                opens its lobby with a ticket is not checked for lobby-visibility
  --help        shows this

Exit codes:
  0  no rule is broken
  1  a rule is broken
  2  no game could be checked: an option is wrong, or the command cannot be started
`;

/** How to come to the game. */
export type Reach = { readonly listen: NetConnectOpts } | { readonly spawn: readonly string[] };

export interface Options {
  readonly reach: Reach;
  readonly rules: readonly Rule[];
  readonly secret: string | undefined;
  readonly ticket: string | undefined;
}

/** Undefined when it is help that is asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = readCommandLine({
    args: [...args],
    options: {
      listen: { type: 'string' },
      spawn: { type: 'string' },
      secret: { type: 'string' },
      ticket: { type: 'string' },
      rule: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return undefined;
  const { secret, ticket } = values;
  if (ticket !== undefined && !appTicketResult.shape.ticket.safeParse(ticket).success)
    throw new UsageError("--ticket is not base64: give the one line that the sidecar's `ticket` prints");
  return { reach: reachOf(values), rules: rulesOf(values.rule), secret, ticket };
}

function reachOf({ listen, spawn }: { listen?: string; spawn?: string }): Reach {
  if (spawn !== undefined && listen === undefined) return { spawn: commandOf(spawn) };
  if (listen !== undefined && spawn === undefined) return { listen: addressOf(listen) };
  const given = listen === undefined ? 'neither' : 'both';
  throw new UsageError(
    `${given} of --listen and --spawn: a game connects or is started; --help explains them`,
  );
}

function addressOf(text: string): NetConnectOpts {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw new UsageError(
    `--listen is "${text}"; it is unix:<path> or tcp:<host>:<port>, such as unix:/tmp/bridge.sock`,
  );
}

function commandOf(text: string): readonly string[] {
  const command = parsed(text);
  if (Array.isArray(command) && command.every((part) => typeof part === 'string') && command[0])
    return command;
  throw new UsageError(`--spawn is ${text}; it is a JSON array of texts, such as '["mono","Game.exe"]'`);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A rule that nobody knows would be kept by every game. */
function rulesOf(ids: readonly string[] | undefined): readonly Rule[] {
  if (ids === undefined) return allRules;
  const unknown = ids.filter((id) => !allRules.some((rule) => rule.id === id));
  if (unknown.length === 0) return allRules.filter(({ id }) => ids.includes(id));
  throw new UsageError(`there is no rule "${unknown.join('" or "')}"; --help lists them`);
}
