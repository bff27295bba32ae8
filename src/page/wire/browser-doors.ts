/** The browser itself. */
import type { Doors } from './doors.ts';

export const browserDoors = (): Doors => ({
  fetch: (path, init) => window.fetch(path, init),
  now: () => Date.now(),
  chance: () => Math.random(),
  name: () => crypto.randomUUID(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
  soon: (act) => {
    if (document.hidden) setTimeout(act, 1000);
    else requestAnimationFrame(act);
  },
  onWake: (act) => {
    const look = () => {
      if (!document.hidden) act();
    };
    window.addEventListener('online', act);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('online', act);
      document.removeEventListener('visibilitychange', look);
    };
  },
  kept: {
    getItem: (name) => window.sessionStorage.getItem(name),
    setItem: (name, value) => window.sessionStorage.setItem(name, value),
    removeItem: (name) => window.sessionStorage.removeItem(name),
  },
});
