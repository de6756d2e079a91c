import { z } from 'zod';

/** What a game may ask for. */
export const requestableVisibility = z.enum(['private', 'friends-only', 'public', 'invisible']);

export type RequestableVisibility = z.infer<typeof requestableVisibility>;

/**
 * What it gets, at both sites that create a lobby. The host's account is nobody's friend, so a lobby of any other
 * visibility would refuse the players who hold its code.
 */
export const lobbyVisibility = 'public' satisfies RequestableVisibility;
