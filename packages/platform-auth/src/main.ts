import { start } from '@steward/service-kit/command-line/program';
import { program } from './program.ts';

// The game reads its files as another user, however strict the umask of the shell is; what is secret has modes of its own.
process.umask(process.umask(0o022) & 0o022);
await start(program);
