/** Where the page is, as its address says it behind `#`. Pure. */
export type Route =
  | { readonly view: 'inbox' | 'work' | 'new' | 'health' }
  | { readonly view: 'run' | 'talk'; readonly id: string };

export function routeOf(hash: string): Route {
  const [view = '', id = ''] = hash.replace(/^#\/?/, '').split('/');
  if ((view === 'run' || view === 'talk') && /^[\w-]{1,64}$/.test(id)) return { view, id };
  if (view === 'work' || view === 'new' || view === 'health') return { view };
  return { view: 'inbox' };
}

/** The key of a one-time link; `null` where there is none. */
export const keyIn = (hash: string): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('k');
