import { lazyOf } from './parts/lazy.tsx';

export const loadSoon = async () => (await import('./soon.tsx')).soon;

/** One of those that come together, soon after the page. */
export const soon = lazyOf(loadSoon);
