import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Platform } from './running-platform.ts';

/** Makes this process trust the emulator, as NODE_EXTRA_CA_CERTS makes a new one. */
export function trust(platform: Platform): void {
  setDefaultCACertificates([...getCACertificates('default'), platform.caPem]);
}
