import type { Status } from '@steward/client';
import { CopyButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/states.tsx';
import { homeWords as says } from '../../words.ts';
import { below } from './load-below.ts';

const Way = below('Way', '3.5rem');

/** What players type in, and where there is nothing yet, how far the way to it has come. */
export function Codes({ status }: { status: Status }) {
  const { steamInviteCode, gogInviteCode, inviteWay } = status;
  const codes = [
    [says.platformCode, steamInviteCode],
    [says.networkCode, gogInviteCode],
  ] as const;
  const hasNone = codes.every(([, code]) => code === undefined);
  return (
    <Card title={says.codes} icon="gate">
      {hasNone ? (
        <Empty icon="gate" title={says.noCode}>
          {says.noCodeText}
        </Empty>
      ) : (
        <ul class="codes">
          {codes.map(([of, code]) => (
            <li key={of}>
              <p class="code-of">{of}</p>
              <p class="code">{code ?? '–'}</p>
              {code !== undefined && <CopyButton text={code} of={of} />}
            </li>
          ))}
        </ul>
      )}
      {inviteWay.length > 0 && <Way steps={inviteWay} />}
    </Card>
  );
}
