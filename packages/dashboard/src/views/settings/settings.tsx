import { type Signal, signal } from '@preact/signals';
import type { Settings } from '@steward/client';
import type { FarmStore } from '../../farm/farm-store.ts';
import { farm } from '../../farm/farms.ts';
import { can, may } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { deedWords, settingLabels as labels, settingWords as says, words } from '../../words.ts';
import { partText } from '../game/form.ts';
import { changesOf, type Draft, isOther, settingFields, textOf, typedSince, wrongWith } from './fields.ts';
import { SettingInput } from './setting-input.tsx';
import './settings.css';

/** The server’s settings as a form, and what the farm was made from; each says what it waits for. */
export function SettingsView() {
  const store = farm.value;
  return (
    <>
      <ViewHead title={words.views.settings} />
      <Loaded shown={store.read('getSettings').value} lines={12} onRetry={() => store.makeOld('getSettings')}>
        {(settings) => (
          <>
            {settings.problem !== undefined && (
              <Card title={says.problem} icon="warn" kind="trouble">
                <p>{settings.problem}</p>
              </Card>
            )}
            <div class="columns settings">
              <ServerSettings settings={settings} />
              <NewFarm settings={settings} />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** What was typed and not saved, kept while another view is looked at. */
const drafts = new Map<string, Signal<Draft>>();

function draftOf({ origin }: FarmStore): Signal<Draft> {
  const draft = drafts.get(origin) ?? signal<Draft>({});
  drafts.set(origin, draft);
  return draft;
}

function ServerSettings({ settings }: { settings: Settings }) {
  const store = farm.value;
  const { caller, status } = store;
  const draft = draftOf(store);
  const { isUnderWay, start } = useDeed();
  const { server, waiting } = settings;
  const isTheirs = !can(status.value, 'changeSettings');
  const mayChange = may(caller.value, 'changeSettings') && !isTheirs;
  const known = settingFields.filter(({ name }) => server[name] !== undefined);
  // What was typed with a key that may change more waits for the next such key.
  const mine = known.filter(({ isForAdmins }) => !isForAdmins || store.allows('admin'));
  const typed: Draft = Object.fromEntries(
    Object.entries(draft.value).filter(([each]) => mine.some(({ name }) => name === each)),
  );
  const changed = mine.filter(({ name }) => isOther(server, typed, name));
  const errors = changed.filter((field) => wrongWith(field, typed[field.name] ?? '') !== undefined);
  const save = (event: Event) => {
    event.preventDefault();
    if (errors.length > 0) {
      (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return;
    }
    void start({
      question: {
        title: says.sure,
        text: (
          <ul class="changes">
            {changed.map(({ name }) => (
              <li key={name}>
                {labels[name][0]}: <s>{shownText(textOf(server, name))}</s>{' '}
                <strong>{shownText(typed[name] ?? '')}</strong>
              </li>
            ))}
          </ul>
        ),
        verb: says.save,
      },
      run: async (options) => {
        const answer = await store.client.changeSettings(changesOf(server, typed), options);
        // What was typed gives way when what was saved is in sight: never to what was before.
        await store.makeOld('getSettings');
        return answer;
      },
      onDone: () => {
        // Where they could not be read anew the form has the old ones, beside which what was saved would seem lost.
        if (store.read('getSettings').peek().error === undefined)
          draft.value = typedSince(draft.peek(), typed);
      },
    });
  };
  return (
    <Card title={says.server} icon="settings">
      {isTheirs && <p class="faint">{deedWords.remedies['not-supported-by-game']}</p>}
      {known.length === 0 && <Empty icon="off" title={says.noneTold} />}
      <form onSubmit={save} noValidate>
        {known.map((field) => {
          const { name } = field;
          const text = typed[name] ?? textOf(server, name);
          return (
            <SettingInput
              key={name}
              field={field}
              text={text}
              error={errors.includes(field) ? wrongWith(field, text) : undefined}
              isFixed={!mayChange || !mine.includes(field)}
              waits={waiting.restart.includes(`server.${name}`)}
              onText={(value) => {
                draft.value = { ...draft.value, [name]: value };
              }}
            />
          );
        })}
        {mayChange && (
          <div class="save-bar" data-changed={changed.length > 0 || undefined}>
            <p role="status">{says.changed(changed.length)}</p>
            {changed.length > 0 && (
              <>
                <Button
                  onClick={() => {
                    draft.value = typedSince(draft.peek(), typed);
                  }}
                >
                  {says.discard}
                </Button>
                <Button kind="main" type="submit" isBusy={isUnderWay.value}>
                  {says.save}
                </Button>
              </>
            )}
          </div>
        )}
      </form>
    </Card>
  );
}

function NewFarm({ settings: { game, waiting } }: { settings: Settings }) {
  const rows = Object.entries(game).filter(([, value]) => value !== undefined);
  return (
    <Card title={says.newFarm} icon="sprout">
      <p class="faint">{says.newFarmText}</p>
      {rows.length === 0 ? (
        <Empty icon="off" title={says.noneTold} />
      ) : (
        <Facts
          rows={rows.map(([name, value]) => [
            (says.game as Readonly<Record<string, string>>)[name] ?? name,
            <>
              {shownText(partText(name, value))}{' '}
              {waiting.newGame.includes(`game.${name}`) && <Pill kind="wait">{says.waitsNew}</Pill>}
            </>,
          ])}
        />
      )}
    </Card>
  );
}

function shownText(text: string): string {
  return (says.values as Readonly<Record<string, string>>)[text] ?? text;
}
