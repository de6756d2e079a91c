import { start } from '@steward/service-kit/command-line/program';
import { program } from './program.ts';

await start(program);
