import { farm } from './farm/farms.ts';
import { isLost } from './farm/link.ts';
import { soon } from './load-soon.ts';
import { words } from './words.ts';

/** Loaded once the page stands: when it is needed the server may be away. */
const Notices = soon('Notices', '0');

/** How the page stands with the server: a word where all is well, and plainly below where it is not. */
export function LinkBar() {
  const { is } = farm.value.link.value;
  return (
    <>
      <p class={`link ${is}`} role="status">
        <span class="dot" aria-hidden="true" />
        {!isLost(is) && words.link[is]}
      </p>
      <div class="notices">
        <Notices />
      </div>
    </>
  );
}
