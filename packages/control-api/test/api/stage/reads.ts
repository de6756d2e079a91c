/** Every path that is answered from the last pushed state alone. */
export const reads = [
  '/status',
  '/players',
  '/invite-code',
  '/farmhands',
  '/cabins',
  '/rendering',
  '/time',
  '/stats',
] as const;
