import type { Backup, FarmOperations } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { may } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { Pill } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/time.tsx';
import { restoreWords, backupWords as says, words } from '../../words.ts';
import { DownloadButton } from './download-button.tsx';
import { restoreDeed } from './restore-deed.tsx';
import { sizeOf } from './size.ts';

interface BackupListProps {
  readonly backups: readonly Backup[];
  readonly isRestoring: boolean;
}

export function BackupList({ backups, isRestoring }: BackupListProps) {
  const mayAny = (['restoreBackup', 'getBackupFile', 'deleteBackup'] as const).some(isMine);
  return (
    <Table
      caption={says.list}
      rows={backups}
      keyOf={({ id }) => id}
      empty={
        <Empty icon="chest" title={says.none}>
          {says.noneText}
        </Empty>
      }
      columns={[
        { title: says.of, cell: (backup) => <Of backup={backup} /> },
        {
          title: says.made,
          cell: ({ madeAt, why }) => (
            <span>
              <When at={madeAt} />
              <span class="faint">, {says.why[why]}</span>
            </span>
          ),
        },
        { title: says.size, isNumber: true, cell: ({ bytes }) => sizeOf(bytes) },
        ...(mayAny
          ? [
              {
                title: says.deeds,
                isDeeds: true,
                cell: (backup: Backup) => <BackupDeeds backup={backup} isRestoring={isRestoring} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function isMine(id: keyof FarmOperations): boolean {
  return may(farm.value.caller.value, id);
}

/** Of which evening, as the save has it. */
function eveningOf({ farm: { season, day, year } }: Backup): string {
  return season === undefined || day === undefined || year === undefined
    ? says.noDay
    : says.evening(words.seasons[season], day, year);
}

function Of({ backup }: { backup: Backup }) {
  const { note, keep, all, missing, farm: saved } = backup;
  return (
    <span class="backup-of">
      <strong>
        <bdi>{note ?? eveningOf(backup)}</bdi>
      </strong>
      <span class="faint">
        <bdi>
          {[note === undefined ? undefined : eveningOf(backup), saved.farmName].filter(Boolean).join(' · ')}
        </bdi>
      </span>
      {(keep || all || missing !== undefined) && (
        <span class="backup-marks">
          {keep && <Pill kind="good">{says.kept}</Pill>}
          {all && (
            <Pill kind="wait" icon="key">
              {says.withKeys}
            </Pill>
          )}
          {missing?.map(({ part, reason }) => (
            <span key={part} title={reason}>
              <Pill kind="bad">{says.without(restoreWords.parts[part] ?? part)}</Pill>
            </span>
          ))}
        </span>
      )}
    </span>
  );
}

function BackupDeeds({ backup, isRestoring }: { backup: Backup; isRestoring: boolean }) {
  const store = farm.value;
  const restoring = useDeed();
  const removing = useDeed();
  const evening = eveningOf(backup);
  const named = (verb: string) => `${verb}: ${backup.note ?? evening}, ${backup.id}`;
  return (
    <span class="backup-deeds">
      {isMine('restoreBackup') && (
        <Button
          aria-label={named(restoreWords.verb)}
          isBusy={restoring.isUnderWay.value || isRestoring}
          onClick={() => restoring.start(restoreDeed(store, backup, evening))}
        >
          {restoreWords.verb}
        </Button>
      )}
      {isMine('getBackupFile') && <DownloadButton backup={backup} label={named(says.download)} />}
      {isMine('deleteBackup') && (
        <Button
          aria-label={named(says.delete)}
          isBusy={removing.isUnderWay.value}
          onClick={() =>
            removing.start({
              question: {
                title: says.deleteSure(backup.note ?? evening),
                text: says.deleteText,
                verb: says.delete,
                isDangerous: true,
              },
              run: (options) => store.client.deleteBackup({ id: backup.id }, options),
            })
          }
        >
          {says.delete}
        </Button>
      )}
    </span>
  );
}
