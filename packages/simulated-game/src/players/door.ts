/** How a player came to know of the farm, and so the way they take into it. */
export type Door =
  | { readonly through: 'friends' }
  | { readonly through: 'code'; readonly code: string }
  | { readonly through: 'direct-ip' };
