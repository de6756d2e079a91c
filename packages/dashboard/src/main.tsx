import { effect } from '@preact/signals';
import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/home.css';
import { App } from './app.tsx';
import { chosenOrigin, farm, ownOrigin, setKey, storeOf } from './farm/farms.ts';
import { keyFromFragment } from './key.ts';
import { followLinks } from './router.ts';

/** How long the first draw waits for the farm, as a slow device takes long to draw twice. After that the page says that it is loading. */
const nearMs = 500;

// Before anything is asked for: the address is copied, bookmarked and shown to others.
takeKey();
// A link with a key that is opened while the page is there loads nothing anew.
addEventListener('hashchange', takeKey);
// Whichever farm is looked at, this one's server says when there is a newer page.
storeOf(ownOrigin);
followLinks();

// What is seen first is asked for at once, and where the farm is near it is drawn with it.
const late = setTimeout(draw, nearMs);
const stop = effect(() => {
  const store = farm.value;
  const mayAnswer = ['connecting', 'live'].includes(store.link.value.is);
  if (location.pathname === '/' && mayAnswer && store.allows('read')) {
    const first = [store.status.value, store.read('listPlayers').value.value];
    if (first.includes(undefined)) return;
  }
  setTimeout(draw);
});

function draw(): void {
  clearTimeout(late);
  stop();
  render(<App />, document.getElementById('page') as HTMLElement);
}

function takeKey(): void {
  const key = keyFromFragment();
  if (key === undefined) return;
  setKey(ownOrigin, key);
  // It is for this server's farm, and is not to be asked for by another.
  chosenOrigin.value = ownOrigin;
}
