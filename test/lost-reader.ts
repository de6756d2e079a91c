import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Loaded before a program: it notes each time that the program finds out that nobody reads what it writes.
const { NOTE_LOST_READER: place } = process.env;

/** The environment in which a program does so, each in a line of that file, by the clock that all processes of a machine have. */
export function notingLostReader(file: string): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import ${fileURLToPath(import.meta.url)}`, NOTE_LOST_READER: file };
}

if (place !== undefined)
  for (const output of [process.stdout, process.stderr]) {
    const { _write: write } = output;
    // Not by the event: a command that has said all leaves before it, and one that does not listen would end by it no more.
    output._write = (chunk, encoding, done) =>
      write.call(output, chunk, encoding, (error) => {
        if (error instanceof Error && 'code' in error && error.code === 'EPIPE')
          appendFileSync(place, `${process.hrtime.bigint()}\n`);
        done(error);
      });
  }
