import type { Command, CommandOption } from '@steward/service-kit/command-line/program';
import type { AnswerOf } from '@steward/shared/api/answers';
import type { Endpoint, Parameter } from '@steward/shared/api/endpoint';
import type { EndpointId } from '@steward/shared/api/endpoints';

/** What a person gets to read of an answer. */
export interface Shown {
  /** For stdout: what a script would take, too. */
  readonly result: string;
  /** For stderr. */
  readonly note?: string;
}

/** A command of the API as a command of the program, with its parameters as options. */
export function apiCommand<Id extends EndpointId>(
  name: string,
  endpoint: Endpoint & { readonly on: typeof import('@steward/shared/api/endpoints').endpoints[Id]['on'] },
  shows: (answer: AnswerOf<Id>) => Shown,
): Command {
  const query: Readonly<Record<string, Parameter>> = endpoint.query ?? {};
  const rows = Object.entries(query).map(([parameter, row]) => ({
    parameter,
    option: optionOf(parameter),
    row,
  }));
  const flags = rows.filter(({ row }) => isFlag(row));
  const options = rows.filter(({ row }) => !isFlag(row));
  return {
    summary: endpoint.summary,
    details: whom,
    options: Object.fromEntries(options.map(({ option, row }) => [option, toOption(row)])),
    flags: {
      ...Object.fromEntries(flags.map(({ option, row }) => [option, row.means])),
      json: 'The answer as the API gives it, as one line of JSON',
    },
    async run(given, values) {
      const asked = Object.fromEntries([
        ...flags.filter(({ option }) => given.has(option)).map(({ parameter }) => [parameter, 'true']),
        ...options.flatMap(({ option, parameter }) => {
          const value = values.get(option);
          return value === undefined ? [] : [[parameter, value]];
        }),
      ]);
      const { withService } = await import('./ask-service.ts');
      const answer = await withService(name, (ask) => ask(endpoint, asked));
      if (given.has('json')) process.stdout.write(`${JSON.stringify(answer)}\n`);
      else tell(shows(answer as AnswerOf<Id>));
      return 0;
    },
  };
}

const whom = `It asks the service that runs here, by API_HOST, API_PORT and API_KEY; where none runs, it does the same on what is kept in
STATE_DIR.`;

/** The camel case of the API in the way of command lines. */
function optionOf(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function isFlag({ kind }: Parameter): boolean {
  return kind.json['type'] === 'boolean';
}

function toOption({ means, kind, isRequired }: Parameter): CommandOption {
  return { means: `${means}: ${kind.allowed}`, isRequired };
}

function tell({ result, note }: Shown): void {
  process.stdout.write(`${result}\n`);
  if (note !== undefined) process.stderr.write(`${note}\n`);
}
