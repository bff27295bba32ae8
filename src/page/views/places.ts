/** The views of the navigation. */
import type { StandingShape } from '../fold/words.ts';
import type { Route } from '../route.ts';

interface Place {
  readonly view: Route['view'];
  readonly href: string;
  readonly word: string;
  readonly shape: StandingShape;
}

export const PLACES: readonly Place[] = [
  { view: 'inbox', href: '#/', word: 'Inbox', shape: 'tray' },
  { view: 'work', href: '#/work', word: 'Work', shape: 'list' },
  { view: 'new', href: '#/new', word: 'New goal', shape: 'plus' },
  { view: 'health', href: '#/health', word: 'Health', shape: 'pulse' },
];

/** The key of the draft of a new goal. */
export const NEW_GOAL = 'new';

/** All views with an address of their own, including those outside the navigation. */
export const ALL_PLACES: readonly Place[] = [
  ...PLACES,
  { view: 'permissions', href: '#/permissions', word: 'Permissions', shape: 'done' },
];
