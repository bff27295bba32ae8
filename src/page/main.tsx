/** The page begins here. */
import { render } from 'preact';
import { keyIn } from './route.ts';
import { createStore } from './store.ts';
import { App } from './views/app.tsx';
import { browserDoors } from './wire/browser-doors.ts';

const place = document.getElementById('page');
if (place !== null) {
  const key = keyIn(location.hash);
  // Before anything else: a key does not stay in an address.
  if (key !== null) history.replaceState(null, '', location.pathname);
  const store = createStore(browserDoors());
  void store.start(key);
  render(<App store={store} />, place);
}
