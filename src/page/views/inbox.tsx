/** Everything that waits for a person, in all folders. */
import { canGoOn, lastPart, plural } from '../fold/words.ts';
import type { RunQuestion, Store } from '../store.ts';
import { NoModel } from './model-choice.tsx';
import { Empty } from './parts.tsx';
import { QuestionCard } from './question.tsx';
import { RunRow } from './work-list.tsx';

const MAX_STOPPED = 5;

export function InboxPage({ store }: { store: Store }) {
  const questions = store.questions.value;
  const stopped = store.runs.value
    .filter(({ standing }) => canGoOn(standing) || standing === 'damaged')
    .toSorted((a, b) => b.lastAt - a.lastAt);
  const isFirst = store.runs.value.length + store.talks.value.length === 0;
  return (
    <div class="inbox">
      <h1>
        {questions.length === 0
          ? 'Inbox'
          : `${plural(questions.length, 'question')}${store.may('answer') ? ' for you' : ' open'}`}
      </h1>
      <NoModel store={store} />
      {questions.map((one) => (
        <QuestionCard
          key={`${one.run} ${one.question.id}`}
          {...{ store, question: one.question, ...originOf(store, one) }}
        />
      ))}
      {questions.length === 0 && isFirst && <FirstSteps />}
      {questions.length === 0 && !isFirst && (
        <Empty title="Nothing waits for you.">
          <p>Questions from all your runs and conversations appear here.</p>
          <a class="button primary" href="#/new">
            New goal
          </a>
        </Empty>
      )}
      {stopped.length > 0 && (
        <section class="card">
          <h2>
            Stopped <span class="dim">{stopped.length}</span>
          </h2>
          <p class="dim">Open one to go on with it, or to see why it cannot.</p>
          <ul class="list">
            {stopped.slice(0, MAX_STOPPED).map((run) => (
              <RunRow key={run.id} run={run} now={store.browser.now()} />
            ))}
          </ul>
          {stopped.length > MAX_STOPPED && (
            <a class="dim all" href="#/work">
              All {stopped.length}
            </a>
          )}
        </section>
      )}
    </div>
  );
}

/** What to do before the first run. */
const FirstSteps = () => (
  <section class="card first">
    <p>
      Tardigrade works on a goal in one folder, asks you here before what is not allowed yet, and
      shows what it changed and what is proved.
    </p>
    <ol>
      <li>
        Connect a model: <a href="#/health">Health</a> says which can be used.
      </li>
      <li>Choose a folder.</li>
      <li>Write a goal.</li>
    </ol>
    <p class="answers">
      <a class="button primary" href="#/new">
        New goal
      </a>
    </p>
  </section>
);

function originOf(store: Store, { run }: RunQuestion) {
  const talk = store.talks.value.find(({ id }) => id === run);
  if (talk !== undefined) {
    const of = `${talk.name ?? 'Conversation'} in ${lastPart(talk.workspacePath)}`;
    return { path: `/api/sessions/${run}`, of, href: `#/talk/${run}` };
  }
  const summary = store.runs.value.find(({ id }) => id === run);
  const of =
    summary === undefined ? 'Run' : `${lastPart(summary.path)} #${summary.number}: ${summary.goal}`;
  return { path: `/api/runs/${run}`, of, href: `#/run/${run}` };
}
