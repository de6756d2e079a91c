/** What a parser answers: the value, or why there is none in words that can be shown to whoever sent the text. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | Refused;

export interface Refused {
  readonly ok: false;
  readonly reason: string;
}

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** The values of all, or the first reason. */
export function allAccepted<T>(parsed: readonly Parsed<T>[]): Parsed<T[]> {
  const values: T[] = [];
  for (const one of parsed) {
    if (!one.ok) return one;
    values.push(one.value);
  }
  return accepted(values);
}

export function refused(reason: string): Refused {
  return { ok: false, reason };
}
