import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { farm, newerVersion } from './farm/farms.ts';
import { isLost } from './farm/link.ts';
import { words } from './words.ts';

/** Loaded once the page stands: when it is needed the server may be away. */
const notices = signal<ComponentType | undefined>(undefined);

/** How the page stands with the server: a word where all is well, and plainly below where it is not. */
export function LinkBar() {
  const { is } = farm.value.link.value;
  useEffect(() => {
    void import('./notices.tsx').then(
      ({ Notices }) => {
        notices.value = Notices;
      },
      () => {},
    );
  }, []);
  const Notices = notices.value;
  return (
    <>
      <p class={`link ${is}`} role="status">
        <span class="dot" aria-hidden="true" />
        {!isLost(is) && words.link[is]}
      </p>
      {Notices !== undefined && (isLost(is) || newerVersion.value !== undefined) && <Notices />}
    </>
  );
}
