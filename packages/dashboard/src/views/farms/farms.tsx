import { chosenOrigin, origins, ownOrigin, storeOf } from '../../farm/farms.ts';
import { isLost, refusalIn } from '../../farm/link.ts';
import { Button, CopyButton } from '../../parts/button.tsx';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { Awaited, Empty } from '../../parts/states.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { go } from '../../router.ts';
import { homeWords, farmWords as says, words } from '../../words.ts';
import { farmState, timeOfDay } from '../home/farm-state.ts';
import './farms.css';

/** Every farm that this page may ask, each with its own key, kept in this browser alone. */
export function FarmsView() {
  return (
    <>
      <ViewHead title={words.views.farms} />
      <div class="columns farms">
        {origins.map((origin) => (
          <FarmCard key={origin} origin={origin} />
        ))}
      </div>
      {origins.length === 1 && (
        <Card title={says.others} icon="signpost" class="no-farms">
          <Empty icon="signpost" title={says.none}>
            <p>
              {says.noneText} <code>DASHBOARD_FARMS</code> {says.noneThen} <code>API_ALLOWED_ORIGINS</code>{' '}
              {says.noneThere}
            </p>
          </Empty>
        </Card>
      )}
    </>
  );
}

function FarmCard({ origin }: { origin: string }) {
  const store = storeOf(origin);
  const { host } = new URL(origin);
  const link = store.link.value;
  const mayRead = store.allows('read');
  const { value: status, error } = mayRead ? store.read('getStatus').value : {};
  const show = () => {
    chosenOrigin.value = origin;
    go('/');
  };
  const isLocked = link.is === 'locked';
  const isRefused = link.is === 'refused';
  const state = status && farmState(status);
  return (
    <Card
      title={status?.farmName || host}
      icon="farm"
      class="farm"
      aside={
        isLost(link.is) ? (
          <Pill kind="bad">{says.away}</Pill>
        ) : (
          state && (
            <Pill kind={status.isJoinable ? 'good' : state === 'no-game' ? 'bad' : 'wait'}>
              {homeWords.states[state]}
            </Pill>
          )
        )
      }
    >
      <p class="faint">
        {host}
        {origin === ownOrigin && ` · ${says.own}`}
      </p>
      {isLocked ? (
        <Empty icon="key" title={says.locked}>
          {says.lockedText}
        </Empty>
      ) : status !== undefined ? (
        <>
          <dl class="farm-facts">
            <div>
              <dt>{says.players}</dt>
              <dd>{homeWords.playersOf(status.playerCount, status.maxPlayers)}</dd>
            </div>
            <div>
              <dt>{says.day}</dt>
              <dd>
                {status.day > 0
                  ? `${homeWords.date(words.seasons[status.season], status.day, status.year)}, ${timeOfDay(status.timeOfDay)}`
                  : homeWords.noFarm}
              </dd>
            </div>
            {[status.steamInviteCode, status.gogInviteCode].map(
              (code, index) =>
                code !== undefined && (
                  <div key={code}>
                    <dt>{index === 0 ? homeWords.platformCode : homeWords.networkCode}</dt>
                    <dd>
                      <code>{code}</code> <CopyButton text={code} of={`${says.code} ${host}`} />
                    </dd>
                  </div>
                ),
            )}
          </dl>
          {status.obstacles[0] !== undefined && (
            <p class="farm-trouble">
              <b>{status.obstacles[0].reason}</b> {status.obstacles[0].remedy}
            </p>
          )}
        </>
      ) : error !== undefined ? (
        <Trouble error={error} onRetry={() => store.makeOld('getStatus')} />
      ) : isLost(link.is) || isRefused ? (
        <Empty icon="warn" title={says.away}>
          {refusalIn(link) ?? (
            <>
              {says.awayText} <code>API_ALLOWED_ORIGINS={ownOrigin}</code>
            </>
          )}
        </Empty>
      ) : (
        mayRead && <Awaited lines={4} />
      )}
      <div class="buttons">
        {(origin !== chosenOrigin.value || isLocked) && (
          <Button kind={isLocked ? 'main' : 'plain'} onClick={show}>
            {isLocked ? says.enterKey : says.show}
            <span class="out-of-sight">: {host}</span>
          </Button>
        )}
      </div>
    </Card>
  );
}
