/** A conversation: what was said, and the place to say more. */
import { useState } from 'preact/hooks';
import { lastPart, sayPurpose, standingOf } from '../fold/words.ts';
import type { Followed, Store } from '../store.ts';
import { Markdown } from './markdown.tsx';
import { Badge, Icon, Meter, Problem, useAsk } from './parts.tsx';
import { QuestionCard } from './question.tsx';
import { Story } from './story.tsx';

export function TalkView({ store, followed }: { store: Store; followed: Followed }) {
  const work = followed.work.value;
  const summary = store.talks.value.find(({ id }) => id === followed.id);
  const isOpen = summary !== undefined && summary.state !== 'closed';
  const standing = standingOf(work, summary?.state === 'working' ? '' : (summary?.state ?? ''));
  const isWorking = summary?.state === 'working' || summary?.state === 'waiting';
  const base = `/api/sessions/${followed.id}`;
  const name = summary?.name ?? (work.title || 'Conversation');
  return (
    <div class="talk">
      <header class="run-head">
        <p class="crumbs">
          <Badge standing={standing} />
          <span class="dim">
            {lastPart(summary?.workspacePath ?? work.workspace)}
            {work.model !== '' && ` · ${work.model}`}
          </span>
          {work.window > 0 && work.context > 0 && (
            <Meter
              label="Context"
              part={Math.min(1, work.context / work.window)}
              words={`context ${Math.round((work.context / work.window) * 100)} %`}
            />
          )}
        </p>
        <h1>{name}</h1>
      </header>
      <Problem words={followed.problem.value} />
      <Story entries={work.entries} isConversation={true} />
      <Writing followed={followed} />
      {store.questions.value
        .filter(({ run }) => run === followed.id)
        .map(({ question }) => (
          <QuestionCard key={question.id} {...{ store, question }} path={base} />
        ))}
      <Composer
        {...{ store, base, isWorking, isOpen }}
        workspacePath={summary?.workspacePath ?? work.workspace}
      />
    </div>
  );
}

function Writing({ followed }: { followed: Followed }) {
  const { turnNow, actionNow } = followed.work.value;
  if (actionNow !== null) {
    return (
      <div class="writing">
        <p class="dim">
          <Icon shape="working" tone="live" /> <code>{actionNow.name}</code> {actionNow.target}
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
          <Icon shape="working" tone="live" /> The model{' '}
          {sayPurpose(turnNow.purpose, turnNow.target)} …
        </p>
      ) : (
        <Markdown text={turnNow.text} />
      )}
    </div>
  );
}

interface ComposerProps {
  readonly store: Store;
  readonly base: string;
  readonly isWorking: boolean;
  readonly isOpen: boolean;
  readonly workspacePath: string;
}

function Composer({ store, base, isWorking, isOpen, workspacePath }: ComposerProps) {
  const [text, setText] = useState('');
  const { isAsking, problem, ask } = useAsk();
  const send = async (): Promise<string> => {
    const opened = isOpen ? '' : await store.send(`${base}/resume`, { workspacePath });
    return opened || store.send(`${base}/chat`, { message: text.trim() });
  };
  const say = () => {
    if (text.trim() === '' || isWorking || isAsking) return;
    void ask(send).then((isTaken) => {
      if (isTaken) setText('');
    });
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      <Problem words={problem} />
      <textarea
        rows={3}
        aria-label="Message"
        placeholder="Message. Enter sends it, Shift+Enter begins a line."
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          say();
        }}
      />
      <div class="answers">
        <button
          type="submit"
          class="primary"
          disabled={isWorking || isAsking || text.trim() === ''}
        >
          Send
        </button>
        {isWorking && (
          <button type="button" onClick={() => void ask(() => store.send(`${base}/cancel`, {}))}>
            Stop
          </button>
        )}
      </div>
    </form>
  );
}
