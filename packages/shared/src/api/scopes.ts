/** What a key can be good for. None implies another, except that `admin` implies all. */
export const scopes = {
  read: 'Look at the farm: its state, players, operations, samples and metrics',
  chat: 'Hear the chat, and speak in it',
  operate: 'Run the farm: time, rendering, settings',
  moderate: 'See to players and farmhands, and see the identities behind them',
  admin: 'Everything: roles, keys and the audit, too',
} as const;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as readonly Scope[];

/** Whether who has these may do what asks for that one. */
export function isGoodFor(granted: ReadonlySet<Scope>, needed: Scope): boolean {
  return granted.has(needed) || granted.has('admin');
}
