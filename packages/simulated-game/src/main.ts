import { start } from '@steward/service-kit/command-line/start';
import { program } from './program.ts';

await start(program);
