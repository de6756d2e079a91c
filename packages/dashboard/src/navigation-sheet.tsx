import { Ways } from './navigation.tsx';
import { Dialog } from './parts/dialog.tsx';
import type { View } from './views.ts';
import { words } from './words.ts';

/** Every view, over the page at its lower edge. */
export function NavigationSheet({ offered, onClose }: { offered: readonly View[]; onClose: () => void }) {
  return (
    <Dialog isSheet title={words.page.navigation} onClose={onClose}>
      <nav aria-label={words.page.more}>
        <Ways offered={offered} onGo={onClose} />
      </nav>
    </Dialog>
  );
}
