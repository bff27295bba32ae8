/** What waits for a person, of every folder. */
import { lastPart, plural } from '../fold/words.ts';
import type { OpenQuestion, Store } from '../store.ts';
import { NoModel } from './model-choice.tsx';
import { Empty } from './parts.tsx';
import { QuestionCard } from './question.tsx';
import { RunRow } from './work-list.tsx';

export function Inbox({ store }: { store: Store }) {
  const questions = store.questions.value;
  const stopped = store.runs.value.filter(({ standing }) => standing === 'killed');
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
          {...{ store, question: one.question, ...whoseOf(store, one) }}
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
          <h2>Interrupted, and ready to continue</h2>
          <ul class="list">
            {stopped.map((run) => (
              <RunRow key={run.id} run={run} now={store.doors.now()} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Before the first run there is nothing to wait for. */
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

function whoseOf(store: Store, { run }: OpenQuestion) {
  const talk = store.talks.value.find(({ id }) => id === run);
  if (talk !== undefined) {
    const of = `${talk.name ?? 'Conversation'} in ${lastPart(talk.workspacePath)}`;
    return { path: `/api/sessions/${run}`, of, href: `#/talk/${run}` };
  }
  const known = store.runs.value.find(({ id }) => id === run);
  const of = known === undefined ? 'Run' : `#${known.number} ${known.goal}`;
  return { path: `/api/runs/${run}`, of, href: `#/run/${run}` };
}
