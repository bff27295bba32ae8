/** The page begins here. */
import { render } from 'preact';
import { keyIn } from './route.ts';
import { type Saved, SavedRun } from './saved.tsx';
import { createStore } from './store.ts';
import { App } from './views/app.tsx';
import { browserDoors } from './wire/browser-doors.ts';

/** A file has no storage of its own. */
const NOTHING_KEPT = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

const place = document.getElementById('page');
const saved = document.getElementById('saved')?.textContent;
if (place !== null) {
  if (saved) {
    const doors = { ...browserDoors(), kept: NOTHING_KEPT };
    render(<SavedRun saved={JSON.parse(saved) as Saved} doors={doors} />, place);
  } else {
    begin(place);
  }
}

function begin(place: HTMLElement): void {
  const key = keyIn(location.hash);
  // Before anything else: a key does not stay in an address.
  if (key !== null) history.replaceState(null, '', location.pathname);
  const store = createStore(browserDoors());
  void store.start(key);
  render(<App store={store} />, place);
}
