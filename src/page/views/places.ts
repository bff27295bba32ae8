/** The views that are there before any work is. */
import type { Shape } from '../fold/words.ts';
import type { Route } from '../route.ts';

interface Place {
  readonly view: Route['view'];
  readonly href: string;
  readonly word: string;
  readonly shape: Shape;
}

export const PLACES: readonly Place[] = [
  { view: 'inbox', href: '#/', word: 'Inbox', shape: 'tray' },
  { view: 'work', href: '#/work', word: 'Work', shape: 'list' },
  { view: 'new', href: '#/new', word: 'New goal', shape: 'plus' },
  { view: 'health', href: '#/health', word: 'Health', shape: 'pulse' },
];

/** Where what was typed for a new goal is kept. */
export const NEW_GOAL = 'new';

/** With those that have no place of their own in the frame. */
export const ALL_PLACES: readonly Place[] = [
  ...PLACES,
  { view: 'permissions', href: '#/permissions', word: 'Permissions', shape: 'done' },
];
