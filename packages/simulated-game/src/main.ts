import { start } from '@steward/service-kit/process/start';
import { program } from './program/program.ts';

await start(program);
