import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billName } from '../sbom/bill.ts';
import { bundle } from './bundle.ts';
import { conformancePackage } from './conformance-package.ts';
import type { ServiceName } from './services.ts';

/** The images of a release, and what is in each. */
export const released = {
  'steward-server': 'control-api',
  'steward-platform-auth': 'platform-auth',
  'steward-discord-bot': 'discord-bot',
  'steward-mcp': 'mcp-server',
} as const satisfies Readonly<Record<string, ServiceName>>;

/**
 * Lays the bill of materials of everything that a release has into a directory. An image has the same in it, and there what it has of
 * Debian as well; the client has no package but itself.
 */
export async function makeBills(
  directory: string,
  images: Readonly<Record<string, ServiceName>> = released,
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const made = mkdtempSync(join(tmpdir(), 'steward-bills-'));
  try {
    for (const [image, service] of Object.entries(images)) {
      await bundle(service, join(made, image));
      copyFileSync(join(made, image, billName), join(directory, `${image}.cdx.json`));
    }
    await conformancePackage(join(made, 'conformance'));
    copyFileSync(
      join(made, 'conformance/dist', billName),
      join(directory, 'steward-bridge-conformance.cdx.json'),
    );
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
