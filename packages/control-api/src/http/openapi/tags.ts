/** The groups of the API, in the order in which the docs page shows them. */
export const tags = [
  { name: 'Server', description: 'Status, health, rendering and operations' },
  { name: 'Players', description: 'Connected players, invite codes and roles' },
  { name: 'Farmhands', description: 'Farmhand slots: the characters that players take' },
  { name: 'Settings', description: 'The server settings file' },
  { name: 'Cabins', description: 'Cabins and their positions' },
  { name: 'Time', description: "The farm's clock" },
] as const;

export type TagName = (typeof tags)[number]['name'];
