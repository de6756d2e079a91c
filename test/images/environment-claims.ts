import { secretNames, type VariableTable } from '../../packages/service-kit/src/configuration/variable.ts';
import { fixedByCompose, otherByCompose } from '../../tools/pages/configuration.ts';
import { type Claim, unless } from './claim.ts';
import { type Compose, operatorVariable } from './compose.ts';

/** What the compose file itself decides: where a service listens and writes in its container. Of the ports, people choose the outer side. */
const decidedHere = new Set([...fixedByCompose, 'API_PORT', 'DASHBOARD_PORT']);

/** Holds what the compose file passes to a service against the table that the service reads. */
export function environmentClaim(
  name: 'server' | 'platform-auth' | 'discord-bot' | 'mcp',
  table: VariableTable,
): Claim<Compose> {
  const another = Object.keys(table).find((variable) => !decidedHere.has(variable)) ?? '';
  // A file that did not arrive would leave the service without its key, and open.
  const files = secretNames(table).filter((variable) => !Object.hasOwn(table, variable));
  return {
    says: `${name} is passed each variable that it reads, with its default, the file of each secret, and no other`,
    problems: ({ services }) => {
      const passed = services[name].environment ?? {};
      const offered = Object.entries(table).filter(([variable]) => !decidedHere.has(variable));
      const wanted = [
        ...offered.map(([variable, { fallbackText, emptyIsAValue }]) => ({
          variable,
          value: operatorVariable(variable, otherByCompose[variable] ?? fallbackText, emptyIsAValue),
        })),
        ...files.map((variable) => ({ variable, value: operatorVariable(variable, '') })),
      ];
      const strangers = Object.keys(passed).filter((known) =>
        wanted.every(({ variable }) => variable !== known),
      );
      return [
        ...strangers.map((variable) => `${variable} is passed and not wanted`),
        ...wanted.flatMap(({ variable, value }) =>
          unless(
            passed[variable] === value,
            `${variable}: pass ${value} with a comment, or name it as decided here`,
          ),
        ),
      ];
    },
    breaks: {
      'a variable that nobody reads': ({ services }) => {
        services[name].environment = { ...services[name].environment, PLATFORM_TYPO: '' };
      },
      'another default': ({ services }) => {
        services[name].environment = {
          ...services[name].environment,
          [another]: operatorVariable(another, 'another'),
        };
      },
      'no file of a secret': ({ services }) => {
        const passed = Object.entries(services[name].environment ?? {});
        services[name].environment = Object.fromEntries(
          passed.filter(([variable]) => !files.includes(variable)),
        );
      },
      'nothing at all': ({ services }) => {
        delete services[name].environment;
      },
    },
  };
}
