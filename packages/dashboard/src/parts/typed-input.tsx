import type { ComponentChildren } from 'preact';
import { Box, Choice, Field } from './field.tsx';
import type { Kind } from './typed.ts';

interface TypedInputProps {
  readonly kind: Kind;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly text: string;
  readonly error?: string | undefined;
  /** What is shown of what can be chosen. */
  readonly shownOf?: (value: string) => string;
  readonly onText: (text: string) => void;
}

/** One value as text, as it is typed, ticked or chosen. */
export function TypedInput({ kind, label, hint, text, error, shownOf, onText }: TypedInputProps) {
  const about = { label, hint };
  if (kind.is === 'flag')
    return <Box {...about} isOn={text === 'true'} onChange={(isOn) => onText(String(isOn))} />;
  if (kind.is === 'choice')
    return (
      <Choice
        {...about}
        value={text}
        options={kind.of.map((each) => [each, shownOf?.(each) ?? each])}
        onValue={onText}
      />
    );
  return (
    <Field
      {...about}
      error={error}
      value={text}
      type={kind.is === 'number' ? 'number' : 'text'}
      onValue={onText}
      more={
        kind.is === 'number' ? { min: kind.min, max: kind.max } : { autocomplete: 'off', spellcheck: false }
      }
    />
  );
}
