/** The frame around every view: navigation, what waits for an answer, and whether the server is reachable. */
import { options } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isAtWork, plural, titleOf } from '../fold/words.ts';
import { type Route, routeOf } from '../route.ts';
import type { Store } from '../store.ts';
import { Boundary } from './boundary.tsx';
import { HealthPage } from './health.tsx';
import { InboxPage } from './inbox.tsx';
import { NewGoal } from './new-goal.tsx';
import { Out } from './out.tsx';
import { Palette } from './palette.tsx';
import { Away, Icon } from './parts.tsx';
import { PermissionsView } from './permissions.tsx';
import { ALL_PLACES, PLACES } from './places.ts';
import { RunPage } from './run.tsx';
import { Late, Strip } from './strip.tsx';
import { TalkView } from './talk.tsx';
import { WorkList } from './work-list.tsx';

export function App({ store }: { store: Store }) {
  const route = useRoute(store);
  const [isFinding, setFinding] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      atOnce(() => setFinding(true));
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  useTitle(store, route);
  if (store.link.value === 'out') return <Out store={store} />;
  // No request can be made before there is a token.
  if (store.link.value === 'joining') return <main aria-busy="true" />;
  return (
    <Away.Provider value={store.link.value === 'lost'}>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <Side {...{ store, route }} find={() => setFinding(true)} />
      <main id="main" tabIndex={-1}>
        <Strip store={store} />
        <Late store={store} />
        <Boundary key={'id' in route ? route.id : route.view}>
          <View {...{ store, route }} />
        </Boundary>
      </main>
      <p class="unseen" role="status">
        {store.announcement.value}
      </p>
      {isFinding && <Palette store={store} close={() => setFinding(false)} />}
    </Away.Provider>
  );
}

/**
 * Renders a change before the next key, which would otherwise go to the focused element: a question answers
 * to letters.
 */
function atOnce(change: () => void): void {
  const { debounceRendering: later } = options;
  options.debounceRendering = (render) => render();
  change();
  if (later === undefined) delete options.debounceRendering;
  else options.debounceRendering = later;
}

/** The route in the address; its run or conversation is followed while its view is shown. */
function useRoute(store: Store): Route {
  const [route, setRoute] = useState(routeOf(location.hash));
  useEffect(() => {
    const go = () => {
      setRoute(routeOf(location.hash));
      window.scrollTo({ top: 0 });
    };
    window.addEventListener('hashchange', go);
    // The address may have changed between the first render and this effect.
    setRoute(routeOf(location.hash));
    return () => window.removeEventListener('hashchange', go);
  }, []);
  const id = 'id' in route ? route.id : '';
  const isOut = store.link.value === 'out' || store.link.value === 'joining';
  useEffect(() => {
    if (isOut) return;
    if (route.view === 'run' || route.view === 'talk') store.follow(route.view, id);
    else store.leave();
  }, [route.view, id, isOut]);
  return route;
}

/** Sets the title of the browser tab: the number of open questions, and the view. */
function useTitle(store: Store, route: Route): void {
  const waiting = store.questions.value.length;
  const place = ALL_PLACES.find(({ view }) => view === route.view)?.word ?? workTitle(store, route);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${place} · Tardigrade`;
  }, [waiting, place]);
}

function workTitle(store: Store, route: Route): string {
  if (!('id' in route)) return '';
  const talk = store.talks.value.find(({ id }) => id === route.id);
  if (talk !== undefined) return titleOf(talk);
  return store.runs.value.find(({ id }) => id === route.id)?.goal ?? 'Work';
}

function View({ store, route }: { store: Store; route: Route }) {
  const followed = store.followed.value;
  switch (route.view) {
    case 'run':
      return followed?.id === route.id ? <RunPage {...{ store, followed }} /> : null;
    case 'talk':
      return followed?.id === route.id ? <TalkView {...{ store, followed }} /> : null;
    case 'new':
      return <NewGoal store={store} />;
    case 'work':
      return (
        <div class="all-work">
          <h1>All work</h1>
          <div class="card">
            <WorkList store={store} here={null} />
          </div>
        </div>
      );
    case 'health':
      return <HealthPage store={store} />;
    case 'permissions':
      return <PermissionsView store={store} />;
    case 'inbox':
      return <InboxPage store={store} />;
    default:
      return route satisfies never;
  }
}

function Side(props: { store: Store; route: Route; find: () => void }) {
  const { store, route, find } = props;
  const waiting = store.questions.value.length;
  const asking = new Set(store.questions.value.map(({ run }) => run));
  // A run that waits for a person is not at work.
  const working = store.runs.value.filter(
    ({ id, standing }) => isAtWork(standing) && standing !== 'queued' && !asking.has(id),
  ).length;
  const queued = store.runs.value.filter(({ standing }) => standing === 'queued').length;
  const currentId = 'id' in route ? route.id : '';
  return (
    <header class="side">
      <div class="brand">
        <p class="name">Tardigrade</p>
        <p class="dim" role="status">
          {store.link.value === 'lost' && 'Last seen: '}
          {working === 0 ? 'Nothing' : working} at work
          {queued > 0 && ` · ${queued} queued`}
          {waiting > 0 && (
            <span class="brand-waits">{` · ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for ${store.may('answer') ? 'you' : 'an answer'}`}</span>
          )}
        </p>
        <button type="button" class="find" onClick={find}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
      </div>
      <nav aria-label="Views" class="places">
        {PLACES.map(({ view, href, word, shape }) => (
          <a
            key={view}
            href={href}
            class={`place place-${view}`}
            aria-current={currentOf(route, view)}
          >
            <Icon shape={shape} />
            {word}
            {view === 'inbox' && waiting > 0 && (
              <span class="count" title={plural(waiting, 'question')}>
                {waiting}
              </span>
            )}
          </a>
        ))}
      </nav>
      {route.view !== 'work' && (
        <nav aria-label="Runs and conversations" class="side-list">
          <WorkList store={store} here={currentId} />
        </nav>
      )}
    </header>
  );
}

/** Runs and conversations count as part of Work: on a phone only this shows which view is open. */
function currentOf(route: Route, view: Route['view']) {
  if (route.view === view) return 'page';
  return view === 'work' && 'id' in route ? 'true' : undefined;
}
