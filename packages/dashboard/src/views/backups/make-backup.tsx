import { useSignal } from '@preact/signals';
import { farm } from '../../farm/farms.ts';
import { isAllowed } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Box, Field } from '../../parts/field.tsx';
import { emptying } from '../../parts/typed.ts';
import { makeBackupWords as says } from '../../words.ts';

const longestNote = 64;

export function MakeBackup() {
  const store = farm.value;
  const note = useSignal('');
  const keep = useSignal(false);
  const fresh = useSignal(false);
  const all = useSignal(false);
  const { isUnderWay, start } = useDeed();
  const make = (event: Event) => {
    event.preventDefault();
    const emptyNote = emptying(note, '');
    void start({
      run: (options) =>
        store.client.createBackup(
          {
            note: note.value.trim() || undefined,
            keep: keep.value || undefined,
            fresh: fresh.value || undefined,
            all: all.value || undefined,
          },
          options,
        ),
      became: (answer) => ('backup' in answer ? 'done' : 'underWay'),
      says: (answer) => ('backup' in answer ? answer.message : says.later),
      onDone: () => {
        emptyNote();
        store.makeOld('listBackups');
      },
    });
  };
  return (
    <Card title={says.title} icon="sprout">
      <form onSubmit={make}>
        <Field
          label={says.note}
          hint={says.noteHint}
          value={note.value}
          onValue={(value) => {
            note.value = value;
          }}
          more={{ maxLength: longestNote, autocomplete: 'off' }}
        />
        <Button kind="main" type="submit" icon="chest" isBusy={isUnderWay.value}>
          {isUnderWay.value ? says.making : says.verb}
        </Button>
        <details class="make-more">
          <summary>{says.more}</summary>
          <Box
            label={says.keep}
            hint={says.keepHint}
            isOn={keep.value}
            onChange={(isOn) => {
              keep.value = isOn;
            }}
          />
          <Box
            label={says.fresh}
            hint={says.freshHint}
            isOn={fresh.value}
            onChange={(isOn) => {
              fresh.value = isOn;
            }}
          />
          {isAllowed(store.caller.value, 'admin') && (
            <Box
              label={says.all}
              hint={says.allHint}
              isOn={all.value}
              onChange={(isOn) => {
                all.value = isOn;
              }}
            />
          )}
        </details>
      </form>
    </Card>
  );
}
