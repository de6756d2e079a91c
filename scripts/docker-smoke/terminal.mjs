import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../prepare/root.mjs';

const answersWithinMs = 60_000;
const lookAgainMs = 100;

/** A command on a pseudo-terminal, which `script` of util-linux makes, with somebody who reads and types. */
export class AtTerminal {
  #shown = '';
  #read = 0;

  constructor(command, env) {
    // Without a window of its own, the terminal would have no columns to write in.
    const line = `stty rows 24 columns 80; exec ${command.map((word) => `'${word}'`).join(' ')}`;
    this.line = line;
    console.error(`$ ${line}`);
    this.child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
      cwd: root,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exited = once(this.child, 'exit');
    this.child.stdout.on('data', (data) => {
      process.stderr.write(data);
      this.#shown += stripVTControlCharacters(`${data}`);
    });
  }

  /** Waits for the question, then types the answer and Enter. */
  async answer(question, text) {
    const deadline = performance.now() + answersWithinMs;
    for (;;) {
      const found = question.exec(this.#shown.slice(this.#read));
      if (found !== null) break;
      if (performance.now() > deadline)
        throw new Error(`${this.line} never asks ${question}: ${this.#shown}`);
      await pause(lookAgainMs);
    }
    this.#read = this.#shown.length;
    this.child.stdin.write(`${text}\r`);
  }

  async ended(wanted) {
    const [code] = await this.exited;
    if (code !== wanted) throw new Error(`${this.line} ended with ${code}: ${this.#shown}`);
  }
}
