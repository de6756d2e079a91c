import { useEffect, useRef } from 'preact/hooks';
import { Card, Pill } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { restoreWords as says } from '../../words.ts';
import type { Restore, RestoreStep } from './restore.ts';

const steps = Object.keys(says.steps) as RestoreStep[];

/** A restore, step by step, whoever asked for it. */
export function RestoreRun({ run: { backupId, step, end } }: { run: Restore }) {
  const at = steps.indexOf(step);
  const place = useRef<HTMLOListElement>(null);
  // It stands above the list, from whose end somebody may have begun it.
  useEffect(() => {
    if (end === undefined) place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const kind = end === undefined ? 'wait' : end.isRestored ? 'good' : 'bad';
  return (
    <Card title={says.run} icon="chest" class="restore-run" aside={<code>{backupId}</code>}>
      <div role="status">
        <Pill kind={kind}>
          {end === undefined ? says.steps[step] : end.isRestored ? says.restored : says.failed}
        </Pill>
        {end?.reason !== undefined && <p>{end.reason}</p>}
        {end?.remedy !== undefined && <p class="faint">{end.remedy}</p>}
      </div>
      <ol class="restore-steps" ref={place}>
        {steps.map((each, index) => {
          const isOver = end?.isRestored === true || index < at;
          const isHere = !isOver && index === at;
          return (
            <li key={each} data-is={isOver ? 'over' : isHere ? (end ? 'failed' : 'here') : undefined}>
              <Icon name={isOver ? 'check' : isHere ? (end ? 'warn' : 'wait') : 'off'} size={18} />
              {says.steps[each]}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
