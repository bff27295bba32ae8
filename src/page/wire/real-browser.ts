/** The real browser behind the port `Browser`. */
import { sleepUnlessAborted } from '../../server/client/events-of.ts';
import type { Browser } from './browser.ts';

export const realBrowser = (): Browser => ({
  fetch: (path, init) => window.fetch(path, init),
  now: () => Date.now(),
  random: () => Math.random(),
  uniqueId: () => crypto.randomUUID(),
  sleep: sleepUnlessAborted,
  beforeNextFrame: (act) => {
    if (document.hidden) setTimeout(act, 1000);
    else requestAnimationFrame(act);
  },
  onWake: (act) => {
    const onVisibility = () => {
      if (!document.hidden) act();
    };
    window.addEventListener('online', act);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      window.removeEventListener('online', act);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  },
  storage: {
    getItem: (name) => window.sessionStorage.getItem(name),
    setItem: (name, value) => window.sessionStorage.setItem(name, value),
    removeItem: (name) => window.sessionStorage.removeItem(name),
  },
});
