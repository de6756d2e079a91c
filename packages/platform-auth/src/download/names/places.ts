import { join } from 'node:path';
import { gameMarkerName } from '@steward/shared/sidecar/download';

/** The redistributable of the platform's SDK, from which the game server loads `linux64/steamclient.so`. */
export const sdkAppId = 1007;

/** Where the existing server's mod looks for the SDK, so it stays there. */
export const sdkFolder = '.steam-sdk';

const workFolder = '.download';

/** What is the downloader's own in GAME_DIR: no file of the game may have these names. */
export const reservedNames = [sdkFolder, gameMarkerName, workFolder] as const;

/** Where everything is. Staging lies in GAME_DIR because only within one file system a file is published by a rename. */
export class Places {
  readonly root: string;

  constructor(gameDirectory: string) {
    this.root = gameDirectory;
  }

  get marker(): string {
    return this.inTree(gameMarkerName);
  }

  get work(): string {
    return this.inTree(workFolder);
  }

  get lock(): string {
    return join(this.work, 'lock');
  }

  /** Who holds the lock. */
  get holder(): string {
    return join(this.work, 'holder.json');
  }

  /** Files on their way. */
  get stage(): string {
    return join(this.work, 'stage');
  }

  /** Files of the manifest of which the tree holds a changed version, where the original will be needed again. */
  get originals(): string {
    return join(this.work, 'originals');
  }

  /** What was published last, file by file. */
  get record(): string {
    return join(this.work, 'tree.json');
  }

  get nextRecord(): string {
    return join(this.work, 'next-tree.json');
  }

  /** What is being published. */
  get journal(): string {
    return join(this.work, 'journal.json');
  }

  /** The marker's text, until what is being published is whole. */
  get nextMarker(): string {
    return `${this.journal}.marker`;
  }

  /** What lies in the stage and waits to be published. */
  get stagedBuild(): string {
    return join(this.work, 'staged-build.json');
  }

  /** A file in the stage that says that all in it belongs to a download which fetches everything anew. */
  readonly anewName = 'again';

  /** A file in the stage that says that a service gathers there what is newer than the game beside it. */
  readonly besideName = 'beside';

  inTree(name: string): string {
    return join(this.root, name);
  }

  staged(key: string): string {
    return join(this.stage, key);
  }

  original(key: string): string {
    return join(this.originals, key);
  }
}
