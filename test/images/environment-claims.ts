import type { VariableTable } from '../../packages/service-kit/src/configuration/variable.ts';
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
  return {
    says: `${name} is passed each variable that it reads, with its default, and no other`,
    problems: ({ services }) => {
      const passed = services[name].environment ?? {};
      const offered = Object.entries(table).filter(([variable]) => !decidedHere.has(variable));
      const strangers = Object.keys(passed).filter(
        (variable) => !offered.some(([known]) => known === variable),
      );
      return [
        ...strangers.map((variable) => `${variable} is passed and not wanted`),
        ...offered.flatMap(([variable, { fallbackText, emptyIsAValue }]) => {
          const wanted = operatorVariable(variable, otherByCompose[variable] ?? fallbackText, emptyIsAValue);
          return unless(
            passed[variable] === wanted,
            `${variable}: pass ${wanted} with a comment, or name it as decided here`,
          );
        }),
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
      'nothing at all': ({ services }) => {
        delete services[name].environment;
      },
    },
  };
}
