import { effect } from '@preact/signals';
import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/home.css';
import { App } from './app.tsx';
import { farm, ownOrigin, setKey } from './farm/farms.ts';
import { keyFromFragment } from './key.ts';
import { followLinks } from './router.ts';

/** How long the first draw waits for the farm. Where it takes longer, the page says that it is loading. */
const nearMs = 250;

// Before anything is asked for: the address is copied, bookmarked and shown to others.
takeKey();
// A link with a key that is opened while the page is there loads nothing anew.
addEventListener('hashchange', takeKey);
followLinks();

// What is seen first is asked for at once, and where the farm is near it is drawn with it.
const draw = () => render(<App />, document.getElementById('page') as HTMLElement);
const isHome = location.pathname === '/';
const late = setTimeout(draw, isHome ? nearMs : 0);
const stop = effect(() => {
  const store = farm.value;
  if (!isHome || !store.allows('read')) return;
  const first = [store.read('getStatus').value.value, store.read('listPlayers').value.value];
  if (first.includes(undefined)) return;
  clearTimeout(late);
  setTimeout(() => {
    stop();
    draw();
  });
});

function takeKey(): void {
  const key = keyFromFragment();
  if (key !== undefined) setKey(ownOrigin, key);
}
