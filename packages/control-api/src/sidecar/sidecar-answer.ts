/** Why the sidecar did not do what it was asked, and what mends it. */
export interface SidecarRefusal {
  /** `unreachable`: no answer that can be read. `secret`: it wants another secret. `refused`: it says why. */
  readonly kind: 'unreachable' | 'secret' | 'refused';
  readonly reason: string;
  readonly remedy?: string;
  /** When to ask again, as far as anybody knows. */
  readonly retryAfterMs?: number;
}

export type SidecarAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: SidecarRefusal };

/** Reason and remedy as one text, for whoever shows one text. */
export function refusalText({ reason, remedy }: SidecarRefusal): string {
  return remedy === undefined ? reason : `${reason}. ${remedy}`;
}
