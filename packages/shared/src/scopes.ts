/** What a key can be good for. None implies another, except that `admin` implies all. */
export const scopes = {
  read: 'Read the farm: its state, players, operations, samples and metrics; and read the chat',
  chat: 'Read and write the chat',
  operate: 'Run the farm: time, rendering, settings, schedules, announcements',
  moderate: 'Manage players and farmhands, kick and ban, and see players’ identities',
  admin: 'Everything, including roles, keys and the audit',
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
