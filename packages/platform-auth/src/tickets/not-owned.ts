/** What an operator reads when the account lacks the game, wherever that shows. */
export const notOwned = {
  reason: 'The platform account does not own the game',
  remedy: 'Buy the game for this account, or run `platform-auth setup` with one that has it',
} as const;
