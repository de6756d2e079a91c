import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/home.css';
import { App } from './app.tsx';
import { ownOrigin, setKey } from './farm/farms.ts';
import { keyFromFragment } from './key.ts';
import { followLinks } from './router.ts';

// Before anything is asked for: the address is copied, bookmarked and shown to others.
takeKey();
// A link with a key that is opened while the page is there loads nothing anew.
addEventListener('hashchange', takeKey);
followLinks();

const place = document.getElementById('page');
if (place !== null) render(<App />, place);

function takeKey(): void {
  const key = keyFromFragment();
  if (key !== undefined) setKey(ownOrigin, key, false);
}
