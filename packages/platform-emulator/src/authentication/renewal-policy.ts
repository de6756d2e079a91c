/** Near expiry is what the real platform does; the others let a test have its renewal, or none, at once. */
export type RenewalPolicy = 'near-expiry' | 'always' | 'never';
