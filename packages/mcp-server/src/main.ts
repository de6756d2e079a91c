import { setFlagsFromString } from 'node:v8';
import { start } from '@steward/service-kit/command-line/program';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { variables } from './configuration.ts';

// A host keeps it for days, and most of that idle: what a long answer took is given back rather than kept for the next.
setFlagsFromString('--optimize-for-size');

await start({
  name: 'steward-mcp',
  summary:
    'tools for assistants to manage a farm, with the Model Context Protocol over standard input and output',
  version: () => packageVersion(import.meta.url),
  defaultCommand: 'serve',
  commands: {
    serve: {
      summary: 'speaks the protocol until its host closes the input',
      run: async () => (await import('./serve.ts')).serve(),
    },
  },
  variables,
});
