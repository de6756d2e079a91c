import type { Backup, Backups, Event } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { may } from '../../may.ts';
import { Card, ViewHead } from '../../parts/card.tsx';
import { useEvents } from '../../parts/events.ts';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { backupWords as says, words } from '../../words.ts';
import { BackupList } from './backup-list.tsx';
import { MakeBackup } from './make-backup.tsx';
import { failureOf, restoreOf } from './restore.ts';
import { RestoreRun } from './restore-run.tsx';
import { sizeOf } from './size.ts';
import './backups.css';

const askedEvents = { limit: 20, topics: 'backups' } as const;

const isOfBackups = ({ type }: Event) => type.startsWith('backups.');

/** The farm as it was on other evenings, and the way back there. */
export function BackupsView() {
  const store = farm.value;
  const shown = store.read('listBackups').value;
  const { value: events = [] } = useEvents(store, askedEvents, isOfBackups);
  const run = restoreOf(events);
  const isOff = shown.value === undefined && shown.error?.code === 'backups-off';
  return (
    <>
      <ViewHead title={words.views.backups} />
      {isOff ? (
        <Card title={says.off} icon="chest">
          <Empty icon="chest" title={says.offTitle}>
            {shown.error?.detail}
          </Empty>
        </Card>
      ) : (
        <div class="column backups">
          {run !== undefined && <RestoreRun run={run} />}
          <div class="columns">
            {may(store.caller.value, 'createBackup') && <MakeBackup />}
            <Card title={says.standing} icon="audit">
              <Loaded shown={shown} lines={5}>
                {(listed) => <Standing listed={listed} failed={failureOf(events)} />}
              </Loaded>
            </Card>
          </div>
          <Card
            title={says.list}
            icon="chest"
            aside={shown.value && <span class="count">{shown.value.backups.length}</span>}
          >
            <Loaded shown={shown} lines={8} onRetry={() => store.makeOld('listBackups')}>
              {({ backups }) => (
                <BackupList backups={backups} isRestoring={run?.end === undefined && run !== undefined} />
              )}
            </Loaded>
          </Card>
        </div>
      )}
    </>
  );
}

interface StandingProps {
  readonly listed: Backups;
  readonly failed: ReturnType<typeof failureOf>;
}

function Standing({ listed, failed }: StandingProps) {
  const { backups, unreadable, bytes, freeBytes, rule } = listed;
  const [newest] = backups as readonly (Backup | undefined)[];
  return (
    <>
      <Facts
        rows={[
          [says.newest, newest === undefined ? words.page.none : <When key="newest" at={newest.madeAt} />],
          ...(failed === undefined
            ? []
            : [
                [
                  says.failed,
                  <span key="failed">
                    <When at={failed.at} />: {failed.data.reason}
                  </span>,
                ] as const,
              ]),
          [says.taken, sizeOf(bytes)],
          [says.room, sizeOf(freeBytes)],
          [says.rule, rule === '' ? says.ruleNone : <code key="rule">{rule}</code>],
        ]}
      />
      {unreadable.length > 0 && (
        <div class="unreadable">
          <h3>{says.unreadable}</h3>
          <ul>
            {unreadable.map(({ file, reason }) => (
              <li key={file}>
                <code>{file}</code> <span class="faint">{reason}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
