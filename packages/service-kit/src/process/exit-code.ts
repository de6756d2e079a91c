/** Exit codes that every program here shares. */
export const exitCode = { ok: 0, failure: 1, usage: 2 } as const;
