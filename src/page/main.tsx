/** The entry point of the page. */
import { render } from 'preact';
import { linkKeyIn } from './route.ts';
import { type Saved, SavedRun } from './saved.tsx';
import { createStore } from './store.ts';
import { App } from './views/app.tsx';
import { realBrowser } from './wire/real-browser.ts';

/** A saved file has no session storage. */
const NO_STORAGE = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

const root = document.getElementById('page');
const saved = document.getElementById('saved')?.textContent;
if (root !== null) {
  if (saved) {
    const browser = { ...realBrowser(), storage: NO_STORAGE };
    render(<SavedRun saved={JSON.parse(saved) as Saved} browser={browser} />, root);
  } else {
    begin(root);
  }
}

function begin(place: HTMLElement): void {
  const key = linkKeyIn(location.hash);
  // This comes first: a key must not stay in the address.
  if (key !== null) history.replaceState(null, '', location.pathname);
  const store = createStore(realBrowser());
  void store.start(key);
  render(<App store={store} />, place);
}
