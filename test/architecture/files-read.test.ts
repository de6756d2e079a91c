import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const packages = new URL('../../packages/', import.meta.url);

const nothingKept = 'reads nothing that an earlier version left';

/** Each source file of a service that reads a file: by which format, or why none is needed. */
const readers: Readonly<Record<string, string>> = {
  'control-api/src/backups/archive/leftovers.ts': 'what the kernel says of a process',
  'control-api/src/backups/restore/restore-record.ts': 'restore-record',
  'control-api/src/commands/bans.ts': 'a list that somebody brings',
  'control-api/src/commands/restore-all.ts': 'the settings, to be copied as they are',
  'control-api/src/drain/drain-file.ts': 'drain',
  'control-api/src/moderation/lists-register.ts': 'bans',
  'control-api/src/store/given-out.ts': 'a cursor; where it cannot be read, another epoch begins',
  'control-api/src/store/directory/operations-format.ts': 'operations',
  'control-api/src/http/dashboard/page-files.ts': nothingKept,
  'control-api/src/http/openapi/documentation.ts': nothingKept,
  'control-api/src/http/openapi/examples.ts': nothingKept,
  'control-api/src/ownership/ownership-file.ts': 'ownership-map',
  'control-api/src/settings/farm-origins.ts': 'farm-origins',
  'control-api/src/settings/settings-file.ts': 'settings',
  'discord-bot/src/relay/places.ts': 'places',
  'platform-auth/src/download/plan/make-plan.ts': 'the game’s own file',
  'platform-auth/src/download/kept/kept-file.ts': 'game-marker, game-record, game-journal',
  'platform-auth/src/download/kept/marker.ts':
    'game-marker, as the existing sidecar writes it: it has no version',
  'platform-auth/src/download/publish/roll-forward.ts':
    'the game-marker to be, compared as text; any other is written once more',
  'platform-auth/src/platform/contention-record.ts': 'contention',
  'platform-auth/src/tokens/take-over-sessions.ts': 'session, as the existing sidecar writes it',
  'platform-auth/src/tokens/seed-record.ts': 'seeds',
  'platform-auth/src/tokens/session-files.ts': 'session',
  'service-kit/src/configuration/read.ts': 'a secret that the operator wrote',
  'service-kit/src/files/process-lock.ts': 'words about a process that is alive',
  'service-kit/src/log/source-stack.ts': nothingKept,
  'service-kit/src/process/package-file.ts': nothingKept,
};

it('a file that a service reads back has a versioned format, or stands here with the reason why not', () => {
  const found = ['control-api', 'discord-bot', 'platform-auth', 'service-kit'].flatMap((name) =>
    readdirSync(new URL(`${name}/src`, packages), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => `${name}/src/${path}`)
      .filter((path) =>
        /\{[^}]*\bread(File|Regular)(Sync)?\b[^}]*\} from '(node:fs|.*\/read-regular)/.test(
          readFileSync(new URL(path, packages), 'utf8'),
        ),
      ),
  );
  expect(found.sort()).toEqual(Object.keys(readers).sort());
});
