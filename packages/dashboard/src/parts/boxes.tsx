import { useId } from 'preact/hooks';
import { Box } from './field.tsx';
import '../styles/boxes.css';

interface BoxesProps {
  readonly legend: string;
  readonly options: readonly (readonly [value: string, means?: string])[];
  readonly chosen: readonly string[];
  readonly error?: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Any of several, in the order in which they are offered. */
export function Boxes({ legend, options, chosen, error, onChange }: BoxesProps) {
  const id = useId();
  return (
    <fieldset class="boxes" aria-describedby={error === undefined ? undefined : id}>
      <legend>{legend}</legend>
      <div class="boxes-inside">
        {options.map(([value, means]) => (
          <Box
            key={value}
            label={value}
            hint={means}
            isOn={chosen.includes(value)}
            onChange={(isOn) =>
              onChange(
                options
                  .map(([each]) => each)
                  .filter((each) => (each === value ? isOn : chosen.includes(each))),
              )
            }
          />
        ))}
      </div>
      {error !== undefined && (
        <p class="error" id={id} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
