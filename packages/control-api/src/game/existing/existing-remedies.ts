import type { Secret } from '@steward/service-kit/secret';

/** What whoever runs both servers can change, by what is wrong between them. */
export const existingRemedies = {
  away: 'Start that server, or set EXISTING_URL to where its API is',
  notIt: 'Set EXISTING_URL to the address of the API of that server',
  key: 'Set EXISTING_API_KEY to the API_KEY of that server',
  noKey: 'Unset EXISTING_API_KEY, or set it as the API_KEY of that server: its API is open to everybody now',
  noUpgrades:
    'Have whatever stands before that server let WebSockets through on /ws, or set EXISTING_URL to that server itself',
} as const;

/** How it is said that the key is not that server's. */
export function keyRefusal(key: Secret | undefined): string {
  return key === undefined
    ? 'it asks for a key, and EXISTING_API_KEY is not set'
    : 'it refuses EXISTING_API_KEY';
}
