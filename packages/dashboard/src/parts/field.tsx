import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import '../styles/form.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'password' | 'number' | 'search' | 'date' | 'datetime-local';
  /** Several lines. */
  readonly isLong?: true;
  /** What else the browser is to know of it. */
  readonly more?: InputHTMLAttributes;
}

/** To be typed in, with its label, a hint, and what is wrong with what stands there. */
export function Field({ label, hint, error, value, onValue, type = 'text', isLong, more = {} }: FieldProps) {
  const id = useId();
  const said = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  // Of what both take, which the types say of each apart.
  const Input = (isLong ? 'textarea' : 'input') as 'input';
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Input
        {...({ ...more, ...(isLong ? { rows: 5 } : { type }) } as InputHTMLAttributes)}
        id={id}
        value={value}
        aria-describedby={said || undefined}
        aria-invalid={error === undefined ? undefined : true}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onValue: (value: string) => void;
}

/** One of several. */
export function Choice({ label, hint, value, options, onValue }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {options.map(([each, shown]) => (
          <option key={each} value={each}>
            {shown}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface BoxProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Yes or no. */
export function Box({ label, hint, isOn, onChange }: BoxProps) {
  const id = useId();
  return (
    <div class="box">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
