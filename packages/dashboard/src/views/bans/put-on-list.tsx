import { useSignal } from '@preact/signals';
import type { WriteOptions } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Button } from '../../parts/button.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { emptying } from '../../parts/typed.ts';
import { banWords as says } from '../../words.ts';
import { askingAgain } from './ask-again.ts';

const kinds = ['name', 'identity', 'address'] as const;

type Kind = (typeof kinds)[number];

const reasonCharacters = 200;

/** Bans somebody, or puts somebody on the allowlist: by a name, an identity or an address, and until when. */
export function PutOnList({ of }: { of: 'bans' | 'allowlist' }) {
  const { client } = farm.value;
  const kind = useSignal<Kind>('name');
  const who = useSignal('');
  const reason = useSignal('');
  const until = useSignal('');
  const error = useSignal<string | undefined>(undefined);
  const { isUnderWay, start } = useDeed();
  const put = (event: Event) => {
    event.preventDefault();
    const value = who.value.trim();
    error.value = value === '' ? says.missing : undefined;
    if (value === '') return;
    const target = targetOf(kind.value, value);
    // Also for the second try, whatever was typed since the first was sent.
    const asked = { ...target, until: until.value || undefined };
    const because = reason.value.trim() || undefined;
    const run = (options: WriteOptions) =>
      askingAgain<{ message: string; operationId: string }>((force) =>
        of === 'bans'
          ? client.addBan({ ...asked, reason: because, force }, options)
          : client.allowPlayer({ ...asked, force }, options),
      );
    const sent = [emptying(who, ''), emptying(reason, '')];
    void start({
      run,
      onDone: () => {
        for (const empty of sent) empty();
      },
    });
  };
  return (
    <form onSubmit={put} noValidate>
      <Choice
        label={says.by}
        value={kind.value}
        options={kinds.map((each) => [each, says.kinds[each]])}
        onValue={(value) => {
          kind.value = value as Kind;
        }}
      />
      <Field
        label={says.who}
        value={who.value}
        error={error.value}
        onValue={(value) => {
          who.value = value;
          error.value = undefined;
        }}
        more={{ autocomplete: 'off', maxLength: 100 }}
      />
      {of === 'bans' && (
        <Field
          label={says.reason}
          value={reason.value}
          onValue={(value) => {
            reason.value = value;
          }}
          more={{ autocomplete: 'off', maxLength: reasonCharacters }}
        />
      )}
      <Choice
        label={says.ends}
        value={until.value}
        options={says.endings}
        onValue={(value) => {
          until.value = value;
        }}
      />
      <Button type="submit" kind={of === 'bans' ? 'danger' : 'plain'} isBusy={isUnderWay.value}>
        {says.lists[of].add}
      </Button>
    </form>
  );
}

/** One of three, as the API asks for it. */
function targetOf(kind: Kind, value: string) {
  if (kind === 'name') return { name: value };
  return kind === 'identity' ? { identity: value } : { address: value };
}
