import { lazyOf } from '../../parts/lazy.tsx';

export const loadBelow = async () => (await import('./below.ts')).below;

/** One of those that come together, below the first sight of the farm. */
export const below = lazyOf(loadBelow);
