import type { LogStream } from './log-stream.ts';

/**
 * Lines for people. What makes them is loaded when the first logger asks for it, since most processes write for
 * machines; until then lines wait. If the process exits before, they leave as the JSON that they are.
 */
export class PrettyLines {
  readonly #stream: Pick<LogStream, 'write'>;
  #waiting = '';
  #pretty: NodeJS.WritableStream | undefined;

  constructor(stream: LogStream, colorize: boolean) {
    this.#stream = stream;
    const leaveAsTheyAre = () => this.#stream.write(this.#waiting);
    process.once('exit', leaveAsTheyAre);
    void import('pino-pretty').then(({ default: pretty }) => {
      process.off('exit', leaveAsTheyAre);
      this.#pretty = pretty({
        destination: stream,
        colorize,
        ignore: 'pid,hostname,name',
        translateTime: 'SYS:HH:MM:ss',
        singleLine: true,
      });
      if (this.#waiting !== '') this.#pretty.write(this.#waiting);
    });
  }

  write(line: string): void {
    if (this.#pretty === undefined) this.#waiting += line;
    else this.#pretty.write(line);
  }
}
