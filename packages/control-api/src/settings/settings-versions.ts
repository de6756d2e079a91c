import {
  checkVersions,
  type FileVersions,
  newerRemedy,
  upgraded,
} from '@steward/service-kit/files/file-versions';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { memberOf, parseDocument, shownText } from './jsonc-document.ts';

const currentVersion = 1;

/** At the top of the file. It is the operator's file, so it need not be there: without it the file is of version 1. */
export const versionKey = 'version';

/** Migrations edit the text, as everything that is written into this file does: comments survive. */
export const settingsVersions: FileVersions<string> = {
  name: 'The server settings file',
  place: 'SETTINGS_PATH',
  current: currentVersion,
  migrations: [],
  unversioned: 1,
  whenNewer:
    'The defaults are used; `problem` in `GET /settings` says why, and `POST /settings` is refused with `settings-unreadable`',
};

checkVersions(settingsVersions);

export interface UpgradedDocument {
  /** As the current version would have it. */
  readonly text: string;
  readonly warning: string | undefined;
}

/** Refused for a file of a newer version. A version that is no version costs only itself, like any other bad value. */
export function upgradedDocument(file: string): Parsed<UpgradedDocument> {
  const root = parseDocument(file);
  if (!root.ok) return root;
  const node = memberOf(root.value, versionKey);
  const read = upgraded(settingsVersions, node?.value, file);
  if (read.kind === 'newer') return refused(`it ${read.reason}. ${newerRemedy}`);
  if (read.kind === 'current') return accepted({ text: read.written, warning: undefined });
  const value = file.slice(node?.offset, (node?.offset ?? 0) + (node?.length ?? 0));
  const warning = `${versionKey} is ${shownText(value)}: it must be a whole number from 1 to ${currentVersion}; 1 is used`;
  const first = upgraded(settingsVersions, 1, file);
  return accepted({ text: first.kind === 'current' ? first.written : file, warning });
}
