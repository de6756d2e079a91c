import { setFlagsFromString } from 'node:v8';
import { start } from '@steward/service-kit/command-line/program';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { variables } from './configuration.ts';

// A host keeps it for days, and most of that idle: what a long answer took is given back rather than kept for the next.
setFlagsFromString('--optimize-for-size');

await start({
  name: 'steward-mcp',
  summary: 'a farm as tools for assistants, by the Model Context Protocol over standard input and output',
  version: () => packageVersion(import.meta.url),
  defaultCommand: 'serve',
  commands: {
    serve: {
      summary: 'speaks the protocol until its host has no more to say',
      run: async () => (await import('./serve.ts')).serve(),
    },
  },
  variables,
});
