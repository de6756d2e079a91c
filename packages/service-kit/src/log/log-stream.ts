/** Where log lines go: a process's output, or what a test puts in its place. */
export interface LogStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly fd?: number;
}
