import { start } from '@steward/service-kit/command-line/program';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { variables } from './program/configuration.ts';

await start({
  name: 'simulated-farm',
  summary: 'a farm that speaks the game bridge, for demos, bot authors and tests',
  version: () => packageVersion(import.meta.url),
  defaultCommand: 'serve',
  commands: {
    serve: {
      summary: 'opens the farm and connects it to the control API',
      async run() {
        const { serve } = await import('./serve.ts');
        await serve();
      },
    },
  },
  variables,
});
