import { useSignal } from '@preact/signals';
import { type BansImported, StewardError, type WriteOptions } from '@steward/client';
import { fits, inBits, readListFile } from '@steward/shared/player-list';
import { useId } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import { Button } from '../../parts/button.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Box, Field } from '../../parts/field.tsx';
import { emptying } from '../../parts/typed.ts';
import { banWords as says } from '../../words.ts';

/** Whether it truly is one, the server says. A time of day is none. */
const looksLikeAddress = (word: string) =>
  /^(\d+\.){3}\d+$/.test(word) || (word.includes(':') && URL.canParse(`http://[${word}]`));

/** A server that was asked much asks for up to a minute. */
const patienceMs = 90_000;

/** Takes in a list from elsewhere, pasted or out of a file, once the server has said what would become of it. */
export function ImportList({ of }: { of: 'bans' | 'allowlist' }) {
  const { client } = farm.value;
  const id = useId();
  const text = useSignal('');
  const force = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const leftOut = useSignal<readonly string[]>([]);
  const { isUnderWay, start } = useDeed();
  const write = (value: string) => {
    text.value = value;
    error.value = undefined;
    leftOut.value = [];
  };
  const take = (event: Event) => {
    event.preventDefault();
    const taken = text.value;
    const isForced = force.value;
    const read = readListFile(taken, of, looksLikeAddress);
    error.value = read === undefined ? says.damaged : read.rows.length === 0 ? says.namesNobody : undefined;
    if (read === undefined || read.rows.length === 0) return;
    const { rows, unread } = read;
    // Each bit travels in an address, which holds so much.
    const all = async (dryRun: boolean, options: WriteOptions = {}) => {
      const sum = { added: 0, alreadyThere: 0, over: 0, refused: [] as string[], operationId: '' };
      let first = 0;
      for (const bit of inBits(rows)) {
        const asked = { list: of, rows: JSON.stringify(bit), force: isForced, dryRun };
        const answer: Pick<BansImported, 'added' | 'alreadyThere' | 'over' | 'refused' | 'operationId'> =
          fits(bit)
            ? await client.importBans(asked, { ...options, timeoutMs: patienceMs }).catch((error) => {
                if (dryRun || first === 0) throw error;
                // What came before it is there.
                throw new StewardError(error.code, says.stopped(says.imported(sum), error), {
                  applied: null,
                });
              })
            : { added: 0, alreadyThere: 0, over: 0, refused: [{ row: 0, reason: says.tooLong }] };
        sum.added += answer.added;
        sum.alreadyThere += answer.alreadyThere;
        sum.over += answer.over;
        sum.operationId = answer.operationId ?? sum.operationId;
        for (const { row, reason } of answer.refused) sum.refused.push(says.row(first + row + 1, reason));
        first += bit.length;
      }
      leftOut.value = [...unread.map(({ line, text: what }) => says.line(line, what)), ...sum.refused];
      return { ...sum, message: says.imported(sum) };
    };
    void start({
      question: async () => {
        const { message } = await all(true);
        return {
          title: says.importSure,
          text: `${message}. ${says.outside(leftOut.value.length)}`,
          verb: says.take,
        };
      },
      run: (options) => all(false, options),
      onDone: emptying(text, ''),
    });
  };
  return (
    <details class="make-more">
      <summary>{says.importTitle}</summary>
      <form onSubmit={take} noValidate>
        <Field
          label={says.pasted}
          hint={says.pastedHint}
          value={text.value}
          error={error.value}
          onValue={write}
          isLong
          more={{ autocomplete: 'off', spellcheck: false }}
        />
        <div class="field">
          <label for={id}>{says.file}</label>
          <input
            id={id}
            type="file"
            onChange={async ({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file !== undefined) write(await file.text());
              // The same file chosen again would be no change.
              currentTarget.value = '';
            }}
          />
        </div>
        <Box
          label={says.force}
          hint={says.forceHint}
          isOn={force.value}
          onChange={(isOn) => {
            force.value = isOn;
          }}
        />
        <Button type="submit" isBusy={isUnderWay.value}>
          {says.take}
        </Button>
      </form>
      {leftOut.value.length > 0 && (
        <section aria-label={says.leftOut}>
          <p>{says.leftOut}</p>
          <ul>
            {leftOut.value.map((each) => (
              <li key={each}>
                <bdi>{each}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </details>
  );
}
