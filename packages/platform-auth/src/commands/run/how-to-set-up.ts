/** What mends a missing session, as an operator types it. */
export const howToSetUp =
  'Run this on a terminal: docker compose run --rm platform-auth setup (without Docker: the same program with `setup`)';
