import { pathToFileURL } from 'node:url';
import { Program, programFile } from './program.ts';

const members = ['platform-auth', 'control-api', 'simulated-game'];
const smallEmulator = import.meta.resolve('./small-emulator.ts');
const [emulatorName, emulator] = fileOf('platform-emulator');

/** The stack looks for its members in their packages, where the sources are; with this it finds what `programFile` says. */
const findMembers = `
  import { registerHooks } from 'node:module';
  const files = ${JSON.stringify({ ...Object.fromEntries(members.map(fileOf)), [emulatorName]: smallEmulator })};
  registerHooks({ resolve: (specifier, context, next) => next(files[specifier] ?? specifier, context) });
`;

function fileOf(name: string): [specifier: string, url: string] {
  return [`@steward/${name}/main`, pathToFileURL(programFile(`packages/${name}/src/main.ts`)).href];
}

/** Everything together, as `npm start` runs it, for tests of what it brings up. */
export class StackProgram extends Program {
  constructor(state: string, environment: NodeJS.ProcessEnv, args: readonly string[] = []) {
    super(
      'packages/local-stack/src/main.ts',
      ['--state', state, ...args],
      { EMULATOR_MAIN: emulator, ...environment },
      { nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(findMembers)}`] },
    );
  }
}
