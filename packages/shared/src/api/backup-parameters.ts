import { type BackupPart, backupParts } from '../backups.ts';
import type { Kind } from '../kinds.ts';
import { accepted, allAccepted, type Parsed, refused } from '../parsed.ts';
import { keyLimits, keyName } from './key-parameters.ts';

export const backupNote: Kind<string> = {
  ...keyName,
  allowed: `1 to ${keyLimits.nameCharacters} printable characters`,
};

export const backupContents: Kind<readonly BackupPart[]> = {
  allowed: `one or more of ${backupParts.join(', ')}, between commas`,
  json: { type: 'string', minLength: 1 },
  parse(text) {
    const parsed = allAccepted(text.split(',').map((item) => partNamed(item.trim())));
    if (!parsed.ok) return parsed;
    return accepted(backupParts.filter((part) => parsed.value.includes(part)));
  },
};

function partNamed(text: string): Parsed<BackupPart> {
  const part = backupParts.find((one) => one === text);
  return part === undefined
    ? refused(`names ${JSON.stringify(text)}, which is no part of a backup`)
    : accepted(part);
}
