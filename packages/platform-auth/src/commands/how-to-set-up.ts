/** The one command that mends a missing session, as an operator types it. */
export const setUpCommand = 'docker compose run --rm platform-auth setup';

export const howToSetUp = `Run this on a terminal: ${setUpCommand}`;
