/** One process of the stack. */
export interface Member {
  readonly name: MemberName;
  /** The file that Node runs. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** What Node is told, as in the image of what it runs. */
  readonly nodeOptions: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** How long it may take to stop, where that is longer than usual. */
  readonly stopLimitMs?: number;
}

/** A member that answers 200 here once it is ready. */
export interface Service extends Member {
  readonly health: string;
}

export type MemberName = 'platform' | 'platform-auth' | 'control-api';
