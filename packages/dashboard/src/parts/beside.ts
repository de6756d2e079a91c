import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** What stands over the page, from when the first view that needs it is there. In one tree with it: ids are made by trees. */
export const beside = signal<readonly ComponentType[]>([]);

export function standBeside(component: ComponentType): void {
  beside.value = [...beside.peek(), component];
}
