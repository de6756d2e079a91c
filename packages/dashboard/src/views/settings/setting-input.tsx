import { Pill } from '../../parts/card.tsx';
import { TypedInput } from '../../parts/typed-input.tsx';
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
  return (
    <fieldset class="setting" disabled={isFixed} data-name={name}>
      <TypedInput
        kind={kind}
        label={label}
        hint={hint}
        text={text}
        error={error}
        shownOf={(value) => (says.values as Readonly<Record<string, string>>)[value] ?? value}
        onText={onText}
      />
    </fieldset>
  );
}
