import { Pill } from '../../parts/card.tsx';
import { Box, Choice, Field } from '../../parts/field.tsx';
import { settingLabels as labels, settingWords as says } from '../../words.ts';
import type { SettingField } from './fields.ts';

interface SettingInputProps {
  readonly field: SettingField;
  readonly text: string;
  readonly error: string | undefined;
  /** It is shown, and the key is not good for changing it. */
  readonly isFixed: boolean;
  /** The running game has not taken it. */
  readonly waits: boolean;
  readonly onText: (text: string) => void;
}

/** One setting, as it is typed, ticked or chosen. */
export function SettingInput({ field, text, error, isFixed, waits, onText }: SettingInputProps) {
  const { name, kind } = field;
  const [label, means] = labels[name];
  const hint = (
    <>
      {means}
      {waits && (
        <>
          {' '}
          <Pill kind="wait">{says.waitsRestart}</Pill>
        </>
      )}
      {isFixed && field.isForAdmins && ` ${says.forAdmins}`}
    </>
  );
  const input =
    kind.is === 'flag' ? (
      <Box label={label} hint={hint} isOn={text === 'true'} onChange={(isOn) => onText(String(isOn))} />
    ) : kind.is === 'choice' ? (
      <Choice
        label={label}
        hint={hint}
        value={text}
        options={kind.of.map((each) => [
          each,
          (says.values as Readonly<Record<string, string>>)[each] ?? each,
        ])}
        onValue={onText}
      />
    ) : (
      <Field
        label={label}
        hint={hint}
        error={error}
        value={text}
        type={kind.is === 'number' ? 'number' : 'text'}
        onValue={onText}
        more={
          kind.is === 'number' ? { min: kind.min, max: kind.max } : { autocomplete: 'off', spellcheck: false }
        }
      />
    );
  return (
    <fieldset class="setting" disabled={isFixed} data-name={name}>
      {input}
    </fieldset>
  );
}
