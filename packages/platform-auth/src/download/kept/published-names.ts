import { z } from 'zod';
import { isStagedKey } from '../names/file-content.ts';
import { objectionToName, objectionToTarget } from '../names/file-name.ts';
import { sdkFolder } from '../names/places.ts';

/*
 * What the files in GAME_DIR/.download may call the things that they are about. Everybody who may write to GAME_DIR may have
 * written them, the game and its mods among them, and what they name is moved and removed.
 */

/** A file or link in GAME_DIR, by the rules for a manifest's names; what is the SDK's lies below its folder. */
export const publishedName = z.string().refine(isPublished);

export const publishedFolder = z.string().refine((name) => name === sdkFolder || isPublished(name));

/** A file in the stage that is ready to be published. */
export const stagedKey = z.string().refine(isStagedKey);

export const linkTarget = z.string().refine((target) => objectionToTarget(target) === undefined);

function isPublished(name: string): boolean {
  const inSdk = `${sdkFolder}/`;
  return objectionToName(name.startsWith(inSdk) ? name.slice(inSdk.length) : name) === undefined;
}
