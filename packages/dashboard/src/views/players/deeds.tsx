import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import { can, may } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Field } from '../../parts/field.tsx';
import { playerWords as playerSays, playerDeedWords as says } from '../../words.ts';
import type { Person } from './people.ts';
import { type PlayerDeed, playerDeeds } from './player-deeds.ts';

interface DeedsProps {
  readonly person: Person;
  readonly name: string;
  readonly seen: readonly (readonly [id: string, of: string])[];
}

/** What the key may do about somebody; what this game cannot, or not now, says so. */
export function Deeds({ person, name, seen }: DeedsProps) {
  const { caller } = farm.value;
  const offered = playerDeeds.filter(({ does, isFor }) => may(caller.value, does) && isFor(person));
  if (offered.length === 0) return null;
  return (
    <Card title={playerSays.deeds} icon="sprout">
      <ul class="player-deeds">
        {offered.map((deed) => (
          <OneDeed key={deed.does} deed={deed} person={person} name={name} seen={seen} />
        ))}
      </ul>
    </Card>
  );
}

function OneDeed({ deed, person, name, seen }: DeedsProps & { readonly deed: PlayerDeed }) {
  const store = farm.value;
  const { isUnderWay, start } = useDeed();
  const { title, text, verb } = says[deed.does];
  const typed = useSignal(new URLSearchParams(location.search).get(deed.asks?.given ?? '') ?? '');
  const error = useSignal<string | undefined>(undefined);
  const offered = useId();
  const why = can(store.status.value, deed.does) ? deed.notNow?.(person) : says.unsupported;
  const begin = (event: Event) => {
    event.preventDefault();
    const value = typed.value.trim();
    error.value = deed.asks?.wrong(value);
    if (error.value === undefined) void start(deed.of({ farm: store.client, person, name, typed: value }));
  };
  return (
    <li>
      <form onSubmit={begin} noValidate>
        <div class="deed-text">
          <h3>{title}</h3>
          <p class="faint">{text}</p>
        </div>
        {why === undefined && deed.asks !== undefined && (
          <>
            <Field
              label={deed.asks.label}
              hint={deed.asks.hint}
              value={typed.value}
              error={error.value}
              onValue={(value) => {
                typed.value = value;
                error.value = undefined;
              }}
              more={{ inputMode: 'numeric', list: offered, autocomplete: 'off', maxLength: 30 }}
            />
            <datalist id={offered}>
              {seen.map(([id, of]) => (
                <option key={id} value={id} label={of} />
              ))}
            </datalist>
          </>
        )}
        {why === undefined ? (
          <Button type="submit" kind={deed.isDangerous ? 'danger' : 'plain'} isBusy={isUnderWay.value}>
            {verb}
          </Button>
        ) : (
          <p class="not-now">{why}</p>
        )}
      </form>
    </li>
  );
}
