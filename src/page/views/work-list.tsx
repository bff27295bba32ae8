/** All runs and conversations. */
import type { RunSummary } from '../../server/api/run-schemas.ts';
import type { SessionSummary } from '../../server/api/session-schemas.ts';
import { ago, lastPart, saidOf, titleOf } from '../fold/words.ts';
import type { Store } from '../store.ts';
import { Empty, Icon } from './parts.tsx';
import { Windowed } from './windowed.tsx';

export function WorkList({ store, here }: { store: Store; here: string }) {
  const asking = new Set(store.questions.value.map(({ run }) => run));
  const runs = waitingFirst(store.runs.value, ({ questions }) => questions > 0);
  const talks = waitingFirst(store.talks.value, ({ id }) => asking.has(id));
  const now = store.doors.now();
  return (
    <div class="work-list">
      <h2>Runs</h2>
      {runs.length === 0 && <Empty title="No run yet." />}
      <Windowed
        items={runs}
        keyOf={({ id }) => id}
        render={(run) => <RunLink run={run} now={now} isHere={run.id === here} />}
      />
      {talks.length > 0 && <h2>Conversations</h2>}
      <Windowed
        items={talks}
        keyOf={({ id }) => id}
        render={(talk) => (
          <TalkLink {...{ talk, now }} isAsking={asking.has(talk.id)} isHere={talk.id === here} />
        )}
      />
    </div>
  );
}

/** Else in the order they came in. */
const waitingFirst = <Item,>(items: readonly Item[], isWaiting: (item: Item) => boolean) => [
  ...items.filter(isWaiting),
  ...items.filter((item) => !isWaiting(item)),
];

export const RunRow = ({ run, now }: { run: RunSummary; now: number }) => (
  <li>
    <RunLink run={run} now={now} isHere={false} />
  </li>
);

interface RunLinkProps {
  readonly run: RunSummary;
  readonly now: number;
  readonly isHere: boolean;
}

function RunLink({ run, now, isHere }: RunLinkProps) {
  const { shape, tone, word } = saidOf(run.questions > 0 ? 'waiting' : run.standing);
  return (
    <a class="work-link" href={`#/run/${run.id}`} aria-current={isHere ? 'page' : undefined}>
      <Icon shape={shape} tone={tone} />
      <span class="work-text">
        <span class="work-title">{run.goal}</span>
        <span class="dim">
          <span class={`tone-${tone}`}>{word}</span>
          {run.number !== null && <span>#{run.number}</span>}
          <span>{lastPart(run.path)}</span>
          <span>{ago(run.lastAt, now)}</span>
        </span>
      </span>
    </a>
  );
}

interface TalkLinkProps {
  readonly talk: SessionSummary;
  readonly isAsking: boolean;
  readonly now: number;
  readonly isHere: boolean;
}

function TalkLink({ talk, isAsking, now, isHere }: TalkLinkProps) {
  const { shape, tone, word } = saidOf(isAsking ? 'waiting' : talk.state);
  return (
    <a class="work-link" href={`#/talk/${talk.id}`} aria-current={isHere ? 'page' : undefined}>
      <Icon shape={shape} tone={tone} />
      <span class="work-text">
        <span class="work-title">{titleOf(talk)}</span>
        <span class="dim">
          <span class={`tone-${tone}`}>{word}</span>
          <span>{lastPart(talk.workspacePath)}</span>
          <span>{ago(talk.lastAt, now)}</span>
        </span>
      </span>
    </a>
  );
}
