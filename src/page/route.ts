/** The route in the fragment of the page's address. Pure. */
const PLACES = ['work', 'new', 'health', 'permissions'] as const;
type Place = (typeof PLACES)[number];

export type Route =
  | { readonly view: 'inbox' | Place }
  | { readonly view: 'run' | 'talk'; readonly id: string };

export function routeOf(hash: string): Route {
  const [view = '', id = ''] = hash.replace(/^#\/?/, '').split('/');
  if ((view === 'run' || view === 'talk') && /^[\w-]{1,64}$/.test(id)) return { view, id };
  return { view: PLACES.find((place) => place === view) ?? 'inbox' };
}

/** The key of a one-time link; `null` if there is none. */
export const linkKeyIn = (hash: string): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('k');
