import { useSignal } from '@preact/signals';
import type { AuditLine, GetAuditParameters } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { useLater } from '../../parts/later.ts';
import { useOlder } from '../../parts/older.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/time.tsx';
import { auditWords as says, words } from '../../words.ts';
import './audit.css';

const most = 50;
const kinds = {
  applied: 'good',
  refused: 'off',
  void: 'off',
  unknown: 'wait',
  failed: 'bad',
  denied: 'bad',
} as const;

/** Who did what, and what came of it: the newest first, page by page, and only what is looked for. */
export function AuditView() {
  const typed = useSignal({ actor: '', action: '', outcome: '' });
  const asked = useSignal<GetAuditParameters>({ limit: most });
  const look = (event: Event) => {
    event.preventDefault();
    const given = Object.entries(typed.value)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== '');
    asked.value = { limit: most, ...Object.fromEntries(given) };
    // Also where the words are the same.
    void farm.value.makeOld('getAudit');
  };
  const set = (name: keyof typeof typed.value) => (value: string) => {
    typed.value = { ...typed.value, [name]: value };
  };
  return (
    <>
      <ViewHead title={words.views.audit} />
      <Card title={says.title} icon="audit">
        <search>
          <form class="audit-search" onSubmit={look}>
            <Field
              label={says.actor}
              hint={says.actorHint}
              type="search"
              value={typed.value.actor}
              onValue={set('actor')}
            />
            <Field
              label={says.action}
              hint={says.actionHint}
              type="search"
              value={typed.value.action}
              onValue={set('action')}
              more={{ autocapitalize: 'off', spellcheck: false }}
            />
            <Choice
              label={says.outcome}
              value={typed.value.outcome}
              options={[['', says.any], ...Object.entries(says.outcomes)]}
              onValue={set('outcome')}
            />
            <Button type="submit" icon="search">
              {says.find}
            </Button>
          </form>
        </search>
        <Lines key={JSON.stringify(asked.value)} asked={asked.value} />
      </Card>
    </>
  );
}

function Lines({ asked }: { asked: GetAuditParameters }) {
  const store = farm.value;
  const { value, error } = store.read('getAudit', asked).value;
  useLater(store, 'getAudit');
  const { rows, button } = useOlder<AuditLine>(value?.lines, {
    most,
    idOf: ({ number }) => String(number),
    ask: async ({ number }) => (await store.client.getAudit({ ...asked, before: number })).lines,
  });
  return (
    <>
      <Loaded shown={{ value: rows, error }} lines={10} onRetry={() => store.makeOld('getAudit')}>
        {(lines) => (
          <Table
            caption={says.title}
            rows={lines}
            keyOf={({ number }) => String(number)}
            empty={<Empty icon="audit" title={says.none} />}
            columns={[
              { title: says.when, cell: ({ at }) => <When at={at} as="date" /> },
              {
                title: says.who,
                cell: ({ actor, address, door }) => (
                  <>
                    <bdi>{says.actors[actor] ?? actor}</bdi>
                    <p class="faint">{[address, door].filter(Boolean).join(' · ')}</p>
                  </>
                ),
              },
              {
                title: says.what,
                cell: (line) => (
                  <>
                    <bdi>{line.says}</bdi>
                    {line.count !== undefined && ` ${says.times(line.count)}`}
                    <p class="faint">
                      <code>{line.action}</code> {parametersOf(line)}
                    </p>
                  </>
                ),
              },
              {
                title: says.outcome,
                cell: ({ outcome, problem }) => (
                  <>
                    <Pill kind={kinds[outcome]}>{says.outcomes[outcome]}</Pill>
                    {problem !== undefined && <p class="faint">{problem}</p>}
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {button}
    </>
  );
}

function parametersOf({ parameters = {} }: AuditLine): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(' ');
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? Object.values(value).map(textOf).join(' ')
    : String(value);
}
