import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import { can, may } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { playerWords as playerSays, playerDeedWords as says } from '../../words.ts';
import type { Person } from './people.ts';
import { type AskedFor, type PlayerDeed, playerDeeds } from './player-deeds.ts';

const reasonCharacters = 200;

interface DeedsProps {
  readonly person: Person;
  readonly name: string;
  readonly seen: readonly (readonly [id: string, of: string])[];
}

/** What the key may do about somebody; what this game cannot, or not now, says so. */
export function Deeds({ person, name, seen }: DeedsProps) {
  const { caller } = farm.value;
  const offered = playerDeeds.filter(
    ({ does, isFor, givesAway }) =>
      may(caller.value, givesAway && person.isAdmin ? 'grantAdmin' : does) && isFor(person),
  );
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
  const { asks = [] } = deed;
  const typed = useSignal(given(asks));
  const errors = useSignal<Readonly<Record<string, string | undefined>>>({});
  const offered = useId();
  const why = can(store.status.value, deed.does) ? deed.notNow?.(person) : says.unsupported;
  const begin = (event: Event) => {
    event.preventDefault();
    const values = mapped(asks, (each) => (typed.value[each.name] ?? '').trim());
    errors.value = mapped(asks, (each) => each.wrong?.(values[each.name] ?? ''));
    if (Object.values(errors.value).some((error) => error !== undefined)) return;
    void start(deed.of({ farm: store.client, person, name, typed: values }));
  };
  return (
    <li>
      <form onSubmit={begin} noValidate>
        <div class="deed-text">
          <h3>{title}</h3>
          <p class="faint">{text}</p>
        </div>
        {why === undefined &&
          asks.map(({ name: of, label, hint, options, isIdentity }) => {
            const onValue = (value: string) => {
              typed.value = { ...typed.value, [of]: value };
              errors.value = { ...errors.value, [of]: undefined };
            };
            const value = typed.value[of] ?? '';
            return options === undefined ? (
              <Field
                key={of}
                label={label}
                hint={hint}
                value={value}
                error={errors.value[of]}
                onValue={onValue}
                more={
                  isIdentity
                    ? { inputMode: 'numeric', list: offered, autocomplete: 'off', maxLength: 30 }
                    : { autocomplete: 'off', maxLength: reasonCharacters }
                }
              />
            ) : (
              <Choice key={of} label={label} value={value} options={options} onValue={onValue} />
            );
          })}
        {asks.some(({ isIdentity }) => isIdentity) && (
          <datalist id={offered}>
            {seen.map(([id, of]) => (
              <option key={id} value={id} label={of} />
            ))}
          </datalist>
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

/** The identity that a link here has already. */
function given(asks: readonly AskedFor[]): Readonly<Record<string, string>> {
  const parts = new URLSearchParams(location.search);
  return mapped(asks, ({ name, isIdentity }) => (isIdentity && parts.get(name)) || '');
}

function mapped<Value>(
  asks: readonly AskedFor[],
  to: (each: AskedFor) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(asks.map((each) => [each.name, to(each)]));
}
