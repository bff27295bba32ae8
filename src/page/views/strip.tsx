/** A strip at the top that says what this page cannot do, instead of a note at every button. */
import { useEffect, useState } from 'preact/hooks';
import { clockTime } from '../fold/words.ts';
import type { Store } from '../store.ts';
import { Icon } from './parts.tsx';

export function Strip({ store }: { store: Store }) {
  if (store.link.value === 'lost') return <Lost store={store} />;
  if (store.may('answer')) return null;
  return (
    <p class="strip">
      <Icon shape="look" />
      <span>
        {store.may('work')
          ? 'With this link you can begin work and stop it, but answer no question.'
          : 'With this link you can look, but change and answer nothing.'}{' '}
        For one that can: <code>agent serve --link</code>
      </span>
    </p>
  );
}

/** Reports an answer that came too late: its question is gone. */
export const Late = ({ store }: { store: Store }) =>
  store.late.value === '' ? null : (
    <p class="strip" role="alert">
      <Icon shape="unsure" tone="warn" />
      <span>{store.late.value}</span>
      <button type="button" class="small" onClick={() => (store.late.value = '')}>
        Close
      </button>
    </p>
  );

/** Says since when the server has been away, and that nothing is lost. */
function Lost({ store }: { store: Store }) {
  const [since, setSince] = useState(0);
  useEffect(() => setSince(store.browser.now()), []);
  return (
    <p class="strip lost" role="alert">
      <Icon shape="killed" tone="warn" />
      <span>
        The server is away{since > 0 && ` since ${clockTime(since)}`}; this page shows what was
        known then and looks for it again by itself. <code>agent serve</code> starts it. Runs do not
        need it.
      </span>
    </p>
  );
}
