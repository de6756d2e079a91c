/** What a key can be good for. None implies another, except that `admin` implies all. */
export const scopes = {
  read: 'Look at the farm: its state, players, operations, samples and metrics; and hear the chat',
  chat: 'Hear the chat, and speak in it',
  operate: 'Run the farm: time, rendering, settings, schedules, announcements',
  moderate: 'See to players and farmhands, send away and ban, and see the identities behind them',
  admin: 'Everything: roles, keys and the audit, too',
} as const;

export type Scope = keyof typeof scopes;

/** What is asked for: a scope, or several of which any one is enough. */
export type Needed = Scope | readonly Scope[];

export const scopeNames = /* @__PURE__ */ Object.keys(scopes) as readonly Scope[];

/** Whether who has these may do what asks for that. */
export function isGoodFor(granted: ReadonlySet<Scope>, needed: Needed): boolean {
  return granted.has('admin') || enough(needed).some((scope) => granted.has(scope));
}

/** Each of which is enough, beside `admin`. */
export function enough(needed: Needed): readonly Scope[] {
  return typeof needed === 'string' ? [needed] : needed;
}
