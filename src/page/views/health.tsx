/** The state of the server, the models and the folders, and what to do about problems. */
import { ago, plural } from '../fold/words.ts';
import type { Store } from '../store.ts';
import { useModels } from './model-choice.tsx';
import { FactList, Icon, ProblemAlert } from './parts.tsx';
import { RunRow } from './work-list.tsx';

export function HealthPage({ store }: { store: Store }) {
  const now = store.browser.now();
  const damaged = store.runs.value.filter(({ standing }) => standing === 'damaged');
  return (
    <div class="health">
      <h1>Health</h1>
      {damaged.length > 0 && (
        <section class="card">
          <h2>Damaged runs</h2>
          <p class="dim">Open one to see what a repair would do.</p>
          <ul class="list">
            {damaged.map((run) => (
              <RunRow key={run.id} run={run} now={now} />
            ))}
          </ul>
        </section>
      )}
      <ServerFacts store={store} />
      <ModelList store={store} />
      <p>
        <a href="#/permissions">Permissions</a>: what was allowed “always here”, and taking it back.
      </p>
      <section class="card">
        <h2>Folders</h2>
        {store.folders.value.length === 0 && <p class="dim">No folder yet.</p>}
        <ul class="list">
          {store.folders.value.map(({ id, path, runs, lastAt }) => (
            <li key={id} class="folder">
              <code class="path">{path}</code>
              <span class="dim">
                {runs === 0 ? 'no runs' : [plural(runs, 'run'), ago(lastAt, now)].join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const RIGHTS = {
  observe: 'look',
  work: 'begin, stop and undo work',
  answer: 'answer questions',
} as const;

function ServerFacts({ store }: { store: Store }) {
  const me = store.me.value;
  if (me === null) return null;
  return (
    <section class="card">
      <h2>Server</h2>
      <FactList
        rows={[
          ['Version', me.version],
          ['Runs with a process', `${me.working}, at most ${me.maxRuns} at once`],
          ['Waiting for their turn', String(me.waiting)],
          ['May work in', me.roots.join(', ')],
          ['This page may', me.rights.map((right) => RIGHTS[right]).join('; ')],
        ]}
      />
    </section>
  );
}

function ModelList({ store }: { store: Store }) {
  const { models, problem } = useModels(store);
  return (
    <section class="card">
      <h2>Models</h2>
      <ProblemAlert words={problem} />
      {models === null && problem === '' && <p class="dim">Looking for models …</p>}
      <ul class="list">
        {models?.map(({ provider, problem: missing, models: names }) => (
          <li key={provider} class="provider">
            <Icon
              shape={missing === '' ? 'done' : 'open'}
              tone={missing === '' ? 'good' : 'plain'}
            />
            <strong>{provider}</strong>
            <span class="dim">{missing || plural(names.length, 'model')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
