import { type Signal, signal } from '@preact/signals';
import type { Backup, BackupRestored, UnderWay } from '@steward/client';
import { usualParts } from '@steward/shared/backups';
import type { FarmStore } from '../../farm/farm-store.ts';
import type { Deed } from '../../parts/deed.ts';
import { Box } from '../../parts/field.tsx';
import { When } from '../../parts/time.tsx';
import { restoreWords as says } from '../../words.ts';

type Part = Backup['parts'][number];

/** The way back to a backup: what it means is asked first, and which parts of it. */
export function restoreDeed(
  store: FarmStore,
  backup: Backup,
  evening: string,
): Deed<BackupRestored | UnderWay> {
  // The database is restored into an empty place alone, and not from here.
  const offered = backup.parts.filter((part) => part !== 'database');
  const chosen = signal<readonly Part[]>(offered.filter((part) => usualParts.some((each) => each === part)));
  return {
    question: {
      title: says.sure(evening),
      text: <Choice store={store} backup={backup} offered={offered} chosen={chosen} />,
      verb: says.verb,
      isDangerous: true,
    },
    run: (options) => store.client.restoreBackup({ id: backup.id, what: chosen.value.join(',') }, options),
    became: (answer) => ('backup' in answer ? 'done' : 'underWay'),
    says: (answer) => ('backup' in answer ? answer.message : says.later),
    onDone: () => store.makeOld('listBackups'),
  };
}

interface ChoiceProps {
  readonly store: FarmStore;
  readonly backup: Backup;
  readonly offered: readonly Part[];
  readonly chosen: Signal<readonly Part[]>;
}

function Choice({ store, backup, offered, chosen }: ChoiceProps) {
  const online = store.status.value?.playerCount ?? 0;
  const change = (part: Part, isOn: boolean) => {
    const after = offered.filter((each) => (each === part ? isOn : chosen.value.includes(each)));
    // Nothing at all is no restore.
    if (after.length > 0) chosen.value = after;
    else chosen.value = [...chosen.value];
  };
  return (
    <>
      <p>
        {says.lost} <When at={backup.madeAt} as="date" />.
      </p>
      {online > 0 && <p class="restore-online">{says.online(online)}</p>}
      <p>{says.way}</p>
      <fieldset class="restore-parts">
        <legend>{says.what}</legend>
        {offered.map((part) => (
          <Box
            key={part}
            label={says.parts[part] ?? part}
            isOn={chosen.value.includes(part)}
            onChange={(isOn) => change(part, isOn)}
          />
        ))}
      </fieldset>
    </>
  );
}
