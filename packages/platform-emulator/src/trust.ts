import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Platform } from './running-platform.ts';

/** Makes this process trust the emulator, as NODE_EXTRA_CA_CERTS makes a new one. */
export function trust(platform: Platform): void {
  const trusted = getCACertificates('default');
  // Node reads the whole list again: 20 ms, which the next connection pays once more.
  if (!trusted.includes(platform.caPem)) setDefaultCACertificates([...trusted, platform.caPem]);
}
