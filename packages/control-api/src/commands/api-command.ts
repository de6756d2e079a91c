import { Writable } from 'node:stream';
import type { Command, CommandOption } from '@steward/service-kit/command-line/program';
import { stringifyExact } from '@steward/service-kit/json';
import { exitCode, UsageError } from '@steward/service-kit/process/errors';
import { forTerminal } from '@steward/service-kit/text/terminal';
import type { AnswerOf } from '@steward/shared/api/answers';
import type { Endpoint, Parameter } from '@steward/shared/api/endpoint';
import type { EndpointId, endpoints } from '@steward/shared/api/endpoints';
import { oneLine } from '@steward/shared/chat/line';

/** What a person gets to read of an answer. */
export interface Shown {
  /** For stdout: what a script would take, too. */
  readonly result: string;
  /** For stderr. */
  readonly note?: string;
  /** What was asked was done, and did not go well: for a script. */
  readonly isFailure?: boolean;
}

/** A command of the API as a command of the program, with its parameters as options. */
export function apiCommand<Id extends EndpointId>(
  name: string,
  endpoint: (typeof endpoints)[Id],
  shows: (answer: AnswerOf<Id>) => Shown,
  { needsService = false }: { readonly needsService?: boolean } = {},
): Command {
  const { flags, options, queryOf, secrets } = optionsOf(endpoint);
  const read = secrets.map((secret) => `The ${secret} is a secret, and is read from standard input. `);
  return {
    summary: endpoint.summary,
    details: `${read.join('')}${needsService ? whomThatRuns : whom}`,
    options,
    flags: { ...flags, json: 'The API’s answer, as one line of JSON' },
    async run(given, values) {
      const { withService } = await import('./ask-service.ts');
      const query = queryOf(given, values);
      for (const secret of secrets) query[secret] = await readSecret(secret);
      const answer = await withService(needsService ? undefined : name, (ask) => ask(endpoint, query));
      const shown = shows(answer as AnswerOf<Id>);
      if (given.has('json')) tell({ result: stringifyExact(answer) });
      else tell(shown);
      return shown.isFailure ? exitCode.failure : exitCode.ok;
    },
  };
}

/** The parameters of an endpoint as options of a command but for secrets, and what was given of these as a query. */
export function optionsOf(endpoint: Endpoint) {
  const parameters = Object.entries(endpoint.query ?? {});
  const isHidden = ([, { isSecret }]: [string, Parameter]) => isSecret === true;
  const rows = parameters
    .filter((each) => !isHidden(each))
    .map(([parameter, row]) => ({
      parameter,
      option: optionOf(parameter),
      row,
      isFlag: row.kind.json['type'] === 'boolean',
    }));
  const flags = rows.filter(({ isFlag }) => isFlag);
  const options = rows.filter(({ isFlag }) => !isFlag);
  return {
    secrets: parameters.filter(isHidden).map(([parameter]) => parameter),
    flags: Object.fromEntries(flags.map(({ option, row }) => [option, row.means])),
    options: Object.fromEntries(options.map(({ option, row }) => [option, toOption(row)])),
    queryOf: (given: ReadonlySet<string>, values: ReadonlyMap<string, string>): Record<string, string> => {
      const text = (option: string) => (given.has(option) ? 'true' : values.get(option));
      const asked = rows.map(({ parameter, option }) => [parameter, text(option)] as const);
      return Object.fromEntries(asked.filter((each): each is [string, string] => each[1] !== undefined));
    },
  };
}

export const whom = `It talks to the service on this machine, which it finds with API_HOST, API_PORT and API_KEY. If no service runs, it works on
the files in STATE_DIR itself.`;

const whomThatRuns =
  'It talks to the service that runs here, with API_HOST, API_PORT and API_KEY; it needs a running service.';

/** The camel case of the API in the way of command lines. */
function optionOf(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function toOption({ means, kind, isRequired }: Parameter): CommandOption {
  return { means: `${means}: ${kind.allowed}`, isRequired };
}

/** Names, reasons and notes are others' words, and a terminal takes some of them for orders. */
export function tell({ result, note }: Shown): void {
  process.stdout.write(`${forTerminal(result)}\n`);
  if (note !== undefined) process.stderr.write(`${forTerminal(note)}\n`);
}

/** Where there is nothing more to read than what was done. */
export function onlyMessage({ message }: { readonly message: string }): Shown {
  return { result: oneLine(message) };
}

/** What no command line may have, where other programs and the shell's history see it: one line of standard input, unseen at a terminal. */
async function readSecret(name: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const { stdin: input, stderr } = process;
  const isTyped = input.isTTY;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the question: what is typed at once must not be seen either.
  const lines = createInterface({ input, output: nowhere, terminal: isTyped });
  // Node would stop the process, and the terminal show what is typed.
  lines.on('SIGTSTP', () => {});
  if (isTyped) stderr.write(`${name} (not shown): `);
  try {
    const line = await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => resolve(''));
    });
    const secret = line.trim();
    if (secret === '')
      throw new UsageError(
        `${name} is a secret and is read from standard input, which is empty: type it in a terminal, or redirect a file that contains it with <`,
      );
    return secret;
  } finally {
    lines.close();
    if (isTyped) stderr.write('\n');
  }
}
