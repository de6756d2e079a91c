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

// Before anything is asked for: the address is copied, bookmarked and shown to others.
takeKey();
// A link with a key that is opened while the page is there loads nothing anew.
addEventListener('hashchange', takeKey);
followLinks();

// Asked for the farm at once; drawn in a task of its own, so that nobody waits for both in one go.
farm.peek();
const place = document.getElementById('page');
if (place !== null) setTimeout(() => render(<App />, place));

function takeKey(): void {
  const key = keyFromFragment();
  if (key !== undefined) setKey(ownOrigin, key);
}
