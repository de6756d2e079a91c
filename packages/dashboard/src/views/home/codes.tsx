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
  // Where no step is used there is no way that one could follow, and each says why.
  const unused = hasNone && inviteWay.every(({ state }) => state === 'off') ? inviteWay[0] : undefined;
  return (
    <Card title={says.codes} icon="gate">
      {hasNone ? (
        <Empty icon="gate" title={says.noCode}>
          {unused?.reason ?? says.noCodeText}
          {unused?.remedy !== undefined && <p class="step-remedy">{unused.remedy}</p>}
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
      {unused === undefined && inviteWay.length > 0 && <Way steps={inviteWay} />}
    </Card>
  );
}
