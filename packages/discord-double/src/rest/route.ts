/** A request that has come so far that something is done. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Route {
  /** `METHOD /path/:of/:route`, below the version. */
  readonly route: string;
  /** `token`: whoever knows the address may use it, and no bot's token is asked for. */
  readonly by: 'bot' | 'token';
  /** Which parameters choose the bucket. */
  readonly major?: readonly string[];
  /** What is answered; nothing is an answer, too. */
  readonly answer: (call: Call) => object | undefined;
}
