import type { Account } from './account.ts';

/** Everyone holds package 0: what is free for all. */
const freePackage = 0;
/** The emulator sells each app in one package of its own. */
const firstPackage = 1_000_000;

export function packageOf(appId: number): number {
  return firstPackage + appId;
}

export function appOf(packageId: number): number | undefined {
  return packageId > firstPackage ? packageId - firstPackage : undefined;
}

export function packagesOf(account: Account): number[] {
  return [freePackage, ...account.owns.map(packageOf)];
}
