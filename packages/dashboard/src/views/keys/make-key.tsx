import { useSignal } from '@preact/signals';
import { type Scope, scopes as scopeMeans, scopeNames } from '@steward/shared/scopes';
import { farm } from '../../farm/farms.ts';
import { Boxes } from '../../parts/boxes.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { showSecret } from '../../parts/secret.tsx';
import { Empty } from '../../parts/states.tsx';
import { emptying } from '../../parts/typed.ts';
import { keysWords as says } from '../../words.ts';

const mostCharacters = 64;

/** A key of one’s own for each bot and each person: what it is good for, and until when. */
export function MakeKey() {
  const { client, caller } = farm.value;
  const name = useSignal('');
  const scopes = useSignal<readonly string[]>(['read']);
  const expires = useSignal('90d');
  const isTried = useSignal(false);
  const { isUnderWay, start } = useDeed();
  const trimmed = name.value.trim();
  const make = (event: Event) => {
    event.preventDefault();
    isTried.value = true;
    if (trimmed === '' || scopes.value.length === 0) return;
    const emptyName = emptying(name, '');
    void start({
      run: (options) =>
        client.createKey(
          {
            name: trimmed,
            scopes: scopes.value.join(','),
            ...(expires.value === '' ? {} : { expires: expires.value }),
          },
          options,
        ),
      onDone: (answer) => {
        showSecret(says.secret(trimmed), says.secretText, says.secretLost, answer);
        emptyName();
        isTried.value = false;
      },
    });
  };
  if (caller.value?.name === 'open')
    return (
      <Card title={says.make} icon="sprout">
        <Empty icon="key" title={says.open}>
          {says.openText}
        </Empty>
      </Card>
    );
  return (
    <Card title={says.make} icon="sprout">
      <form onSubmit={make} noValidate>
        <Field
          label={says.name}
          hint={says.nameHint}
          value={name.value}
          error={isTried.value && trimmed === '' ? says.noName : undefined}
          onValue={(value) => {
            name.value = value;
          }}
          more={{ autocomplete: 'off', maxLength: mostCharacters }}
        />
        <Boxes
          legend={says.goodFor}
          options={scopeNames.map((scope: Scope) => [scope, scopeMeans[scope]])}
          chosen={scopes.value}
          error={isTried.value && scopes.value.length === 0 ? says.noScope : undefined}
          onChange={(chosen) => {
            scopes.value = chosen;
          }}
        />
        <Choice
          label={says.ends}
          value={expires.value}
          options={says.expiries}
          onValue={(value) => {
            expires.value = value;
          }}
        />
        <Button kind="main" type="submit" icon="key" isBusy={isUnderWay.value}>
          {says.make}
        </Button>
      </form>
    </Card>
  );
}
