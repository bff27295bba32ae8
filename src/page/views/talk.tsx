/** A conversation: its history, and the field for the next message. */
import { useState } from 'preact/hooks';
import { toolLabel } from '../../shown/calls.ts';
import { purposeWords } from '../../shown/turns.ts';
import { capital, lastPart, sayRead, shownStanding } from '../fold/words.ts';
import type { WorkEntry } from '../fold/work.ts';
import type { Followed, Store } from '../store.ts';
import { Composer } from './composer.tsx';
import { Markdown } from './markdown.tsx';
import { ModelSelect, readModelChoice } from './model-choice.tsx';
import { Badge, ContextMeter, Icon, ProblemAlert, Unknown, useAsk } from './parts.tsx';
import { QuestionCard } from './question.tsx';
import { Story } from './story.tsx';
import { UndoDialog } from './undo-dialog.tsx';

export function TalkView({ store, followed }: { store: Store; followed: Followed }) {
  const work = followed.work.value;
  const summary = store.talks.value.find(({ id }) => id === followed.id);
  // True also while the list, which is read once a second, does not have the conversation yet.
  const isOpen = summary?.state !== 'closed';
  const isUnknown = followed.isUnknown.value && summary === undefined;
  const questions = store.questions.value.filter(({ run }) => run === followed.id);
  const serverStanding = summary?.state === 'working' ? '' : (summary?.state ?? '');
  const standing = questions.length > 0 ? 'waiting' : shownStanding(work, serverStanding);
  const isAtWork = summary?.state === 'working' || summary?.state === 'waiting';
  // The list is read once a second, so the stream may have told the end of the message before it.
  const isWorking = isAtWork && work.standing !== 'idle';
  const base = `/api/sessions/${followed.id}`;
  const workspacePath = summary?.workspacePath ?? work.workspace;
  const name = summary?.name ?? (work.title || 'Conversation');
  if (isUnknown) return <Unknown what="conversation" />;
  return (
    <div class="talk">
      <header class="run-head">
        <div class="title-row">
          <h1 title={name}>
            <span>{name}</span>
          </h1>
        </div>
        <div class="row-ends">
          <p class="run-sums dim">
            <Badge standing={standing} />
            <span title={workspacePath}>{lastPart(workspacePath)}</span>
            {work.model !== '' && <span>{work.model}</span>}
            <ContextMeter work={work} />
          </p>
          {store.may('work') && <Controls {...{ store, base, isWorking, isOpen, workspacePath }} />}
        </div>
      </header>
      <ProblemAlert words={followed.problem.value} />
      <Story
        entries={withoutAsked(work.entries, questions.length > 0)}
        isConversation={true}
        question={questions[0]?.question.id ?? ''}
      />
      <Writing followed={followed} />
      {questions.map(({ question }) => (
        <QuestionCard key={question.id} {...{ store, question }} path={base} />
      ))}
      {store.may('work') && <Composer {...{ store, base, isWorking }} id={followed.id} />}
    </div>
  );
}

/** Drops the line of an open question, because its card says more. */
function withoutAsked(entries: readonly WorkEntry[], isAsked: boolean): readonly WorkEntry[] {
  const last = entries.at(-1);
  return isAsked && last?.kind === 'mark' && last.mark === 'asked' ? entries.slice(0, -1) : entries;
}

interface ControlProps {
  readonly store: Store;
  readonly base: string;
  readonly isWorking: boolean;
  readonly isOpen: boolean;
  readonly workspacePath: string;
}

/** Switches the model, and undoes what the last message changed. */
function Controls({ store, base, isWorking, isOpen, workspacePath }: ControlProps) {
  const [isUndoing, setUndoing] = useState(false);
  const { isAsking, problem, ask } = useAsk();
  const choose = (choice: string): void => {
    if (choice === '') return;
    void ask(() =>
      isOpen
        ? store.send(`${base}/commands`, { text: `/model ${choice}` })
        : store.send(`${base}/resume`, { workspacePath, ...readModelChoice(choice) }),
    );
  };
  return (
    <div class="talk-controls">
      <ModelSelect
        {...{ store, id: 'talk-model', label: 'Model', value: '', usual: 'Another model…' }}
        choose={choose}
      />
      <button
        type="button"
        class="small"
        disabled={isWorking || isAsking}
        onClick={() => setUndoing(true)}
      >
        Undo…
      </button>
      <ProblemAlert words={problem} />
      {isUndoing && (
        <UndoDialog
          {...{ store, base, body: {} }}
          title="Undo what the last message changed"
          close={() => setUndoing(false)}
        />
      )}
    </div>
  );
}

function Writing({ followed }: { followed: Followed }) {
  const { turnNow, actionNow } = followed.work.value;
  if (actionNow !== null) {
    return (
      <div class="writing">
        <p class="dim">
          <Icon shape="working" tone="live" /> <code>{toolLabel(actionNow.name)}</code>{' '}
          {actionNow.target}
        </p>
        {actionNow.output !== '' && <pre class="output">{actionNow.output.slice(-4000)}</pre>}
      </div>
    );
  }
  if (turnNow === null) return null;
  return (
    <div class="writing">
      {turnNow.text === '' ? (
        <p class="dim">
          <Icon shape="working" tone="live" />{' '}
          {capital(purposeWords(turnNow.purpose, turnNow.target))}
          {sayRead(turnNow)} …
        </p>
      ) : (
        <Markdown text={turnNow.text} />
      )}
    </div>
  );
}
