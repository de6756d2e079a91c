import type { Status } from '@steward/client';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { When } from '../../parts/time.tsx';
import { troubleWords as says } from '../../words.ts';
import '../../styles/troubles.css';

/** What keeps players out first, with what mends it. */
export function Troubles({ status: { obstacles, isJoinable } }: { status: Status }) {
  return (
    <Card title={isJoinable ? says.troubleToo : says.trouble} icon="warn" kind="trouble">
      <ul class="troubles">
        {obstacles.map(({ code, reason, remedy, since, nextRetry }) => (
          <li key={code}>
            <p>
              <strong>{reason}</strong>
              {since !== undefined && (
                <span class="faint">
                  {' '}
                  <When at={since} />
                </span>
              )}
            </p>
            <p class="remedy">
              <Icon name="sprout" size={20} />
              <span>
                {remedy}
                {nextRetry !== undefined && (
                  <span class="faint">
                    {' '}
                    {says.nextTry}: <When at={nextRetry} as="clock" />
                  </span>
                )}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
