import type { StewardError } from '@steward/client';
import type { Needed } from '../may.ts';
import { shortWords as says } from '../words.ts';
import { Button } from './button.tsx';
import { ViewHead } from './card.tsx';
import { Empty } from './states.tsx';

/** What this game cannot do is no error. */
function Unsupported() {
  return (
    <Empty icon="off" title={says.unsupported}>
      {says.unsupportedText}
    </Empty>
  );
}

/** What the key is not good for. */
export function NotAllowed({ needs }: { needs: Needed }) {
  return (
    <Empty icon="key" title={says.title}>
      {says.text(typeof needs === 'string' ? needs : needs.join(', '))}
    </Empty>
  );
}

/** In the place of a view that there is not. */
export function NotHere() {
  return (
    <>
      <ViewHead title={says.notHere} />
      <Empty icon="signpost" title={says.notHereText}>
        <a href="/">{says.home}</a>
      </Empty>
    </>
  );
}

/** Why a read has not answered. */
export function Trouble({ error, onRetry }: { error: StewardError; onRetry?: (() => void) | undefined }) {
  const { code, detail } = error;
  if (code === 'not-supported-by-game') return <Unsupported />;
  if (code === 'not-found' || code === 'method-not-allowed')
    return (
      <Empty icon="off" title={says.older}>
        {says.olderText}
      </Empty>
    );
  return (
    <Empty icon="warn" title={says.failed}>
      <p>{detail}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>{says.again}</Button>}
    </Empty>
  );
}
