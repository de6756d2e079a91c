import { facts, farm, newerVersion } from './farm/farms.ts';
import { isLost, refusalIn } from './farm/link.ts';
import { KeyForm } from './key-form.tsx';
import { Ways } from './navigation.tsx';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { Icon } from './parts/icon.tsx';
import { When } from './parts/time.tsx';
import { NotAllowed, NotHere } from './parts/trouble.tsx';
import type { View } from './views.ts';
import { noticeWords as says, words } from './words.ts';
import './styles/notices.css';

/** What is wrong with the connection, and that the server has another page: above the view. What is read out has no time in it, which goes on. */
function Notices() {
  const store = farm.value;
  const link = store.link.value;
  const { is, since, detail } = link;
  const refusal = refusalIn(link);
  const version = newerVersion.value;
  return (
    <>
      {isLost(is) && (
        <div class="notice">
          <Icon name={is === 'restarting' ? 'wait' : 'warn'} />
          <p>
            <span role="alert">
              <strong>{refusal === undefined ? says[is] : says.notNow}.</strong>{' '}
              {is === 'refused' ? detail : (refusal ?? says.text)}
            </span>{' '}
            (<When at={since} />)
          </p>
          <Button onClick={() => store.wake()}>{says.again}</Button>
        </div>
      )}
      {version !== undefined && (
        <div class="notice good" role="status">
          <Icon name="sprout" />
          <p>{version === facts.version ? says.otherPage : says.newer(version)}</p>
          <Button onClick={() => location.reload()}>{words.page.reload}</Button>
        </div>
      )}
    </>
  );
}

/** Every view, over the page at its lower edge. */
function NavigationSheet({ offered, onClose }: { offered: readonly View[]; onClose: () => void }) {
  return (
    <Dialog isSheet title={words.page.navigation} onClose={onClose}>
      <nav aria-label={words.page.more}>
        <Ways offered={offered} onGo={onClose} />
      </nav>
    </Dialog>
  );
}

/** What goes round every view or stands in its place, and what no first view waits for. */
export const soon = { KeyForm, NavigationSheet, NotAllowed, NotHere, Notices };
