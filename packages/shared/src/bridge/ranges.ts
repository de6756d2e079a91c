/** The game's clock: 600 is 6 AM, 1200 noon, 2600 is 2 AM of the next day, when everybody sleeps. */
export const timeOfDay = { earliest: 600, latest: 2_600 } as const;

/** What a game can be told to draw in a second: an integer of 32 bits there. */
export const fastestRendering = 2_147_483_647;

/** Of what is shown to a player who is kept out or sent away: it stands in a small window. */
export const playerTextCharacters = 200;

/** Of these each may be two of those that JavaScript, C# and Java count. */
export const playerTextUnits = 2 * playerTextCharacters;
