import type { ExitCodeName } from '../commands/run/exit-codes.ts';

/** What a check found, in words that can be pasted anywhere: no name of an account, no id, no path, no host of the operator's. */
export type Finding =
  | { readonly status: 'ok'; readonly found: string }
  | { readonly status: 'warning'; readonly found: string; readonly remedy: string }
  | Failed
  | { readonly status: 'skipped'; readonly found: string };

export interface Failed {
  readonly status: 'failed';
  readonly found: string;
  readonly remedy: string;
  /** How a command ends that meets the same. */
  readonly end: ExitCodeName;
}

/** With a value, what builds on the check can go on. */
export interface Result<T> {
  readonly finding: Finding;
  readonly value?: T;
}

export function ok<T>(found: string, value: T): Result<T> {
  return { finding: { status: 'ok', found }, value };
}

export function warning<T>(found: string, remedy: string, value: T): Result<T> {
  return { finding: { status: 'warning', found, remedy }, value };
}

export function failed(end: Failed['end'], found: string, remedy: string): { readonly finding: Failed } {
  return { finding: { status: 'failed', found, remedy, end } };
}

export function skipped(why: string): Result<never> {
  return { finding: { status: 'skipped', found: why } };
}
