import { useSignal } from '@preact/signals';
import { farm, setKey } from './farm/farms.ts';
import { isKey, isOnDevice } from './key.ts';
import { Button } from './parts/button.tsx';
import { ViewHead } from './parts/card.tsx';
import { Box, Field } from './parts/field.tsx';
import { keyWords as says } from './words.ts';

/** In the place of every view where the server asks for a key, or for another than the one it was given. */
export function KeyForm() {
  const { origin, key, link } = farm.value;
  const typed = useSignal('');
  const onDevice = useSignal(isOnDevice(origin));
  const error = useSignal<string | undefined>(undefined);
  const [title, text] = saysOf(link.value.code, key !== undefined);
  const use = (event: Event) => {
    event.preventDefault();
    const given = typed.value.trim();
    if (given === '') error.value = says.empty;
    else if (!isKey(given)) error.value = says.noKey;
    else setKey(origin, given, onDevice.value);
  };
  return (
    <form class="key-form card" onSubmit={use}>
      <ViewHead title={title} />
      <p>{text}</p>
      <Field
        label={says.label}
        type="password"
        value={typed.value}
        error={error.value}
        onValue={(value) => {
          typed.value = value;
          error.value = undefined;
        }}
        more={{ autocomplete: 'current-password', spellcheck: false, autocapitalize: 'off', maxLength: 500 }}
      />
      <Box
        label={says.onDevice}
        hint={says.onDeviceHint}
        isOn={onDevice.value}
        onChange={(isOn) => {
          onDevice.value = isOn;
        }}
      />
      <Button kind="main" type="submit" icon="key">
        {says.use}
      </Button>
    </form>
  );
}

function saysOf(code: string | undefined, hadKey: boolean): readonly [title: string, text: string] {
  if (code === 'key-ended') return [says.endedTitle, says.endedText];
  if (code === 'too-many-requests') return [says.wrongTitle, says.tooManyText];
  return hadKey ? [says.wrongTitle, says.wrongText] : [says.title, says.text];
}
