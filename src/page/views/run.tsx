/** A run: its open questions, its current work, its plan, and its history. */
import { useContext, useEffect, useState } from 'preact/hooks';
import type { OpenPermissionRequest } from '../../schema/journal/permissions.ts';
import type { Question, RunDetail } from '../../server/api/run-schemas.ts';
import { withCut } from '../fold/timeline.ts';
import {
  duration,
  isAtWork,
  isOverStanding,
  lastPart,
  shownStanding,
  spent,
  tokenText,
} from '../fold/words.ts';
import type { WatchedWork } from '../fold/work.ts';
import type { Followed, Store } from '../store.ts';
import { ChangesSection } from './changes.tsx';
import { CostView, sayCost } from './cost.tsx';
import { EndingCard, hasVerdict, QueueCard } from './ending.tsx';
import { NextSteps } from './next-steps.tsx';
import { Now } from './now.tsx';
import {
  Away,
  Badge,
  ContextMeter,
  Icon,
  ProblemAlert,
  RequestForm,
  Unknown,
  useAsk,
} from './parts.tsx';
import { PlanTree } from './plan.tsx';
import { ProofView } from './proof.tsx';
import { PLAN, QuestionCard } from './question.tsx';
import { Story } from './story.tsx';
import { type Tab, Tabs } from './tabs.tsx';
import { TakeOver } from './take-over.tsx';
import { TimelineCard } from './timeline.tsx';

/** The standings of a run of which nothing is recorded, or not yet. */
const BLANK: ReadonlySet<string> = new Set(['queued', 'not_begun', 'gone']);

export function RunPage({ store, followed }: { store: Store; followed: Followed }) {
  const detail = followed.detail.value;
  const work = withDetail(followed.work.value, detail);
  const summary = store.runs.value.find(({ id }) => id === followed.id);
  const serverStanding = summary?.standing ?? detail?.standing ?? '';
  const questions = questionsOf(store, followed.id, work.questions);
  const isAsked =
    questions.length > 0 && !isOverStanding(serverStanding) && serverStanding !== 'killed';
  const standing = isAsked ? 'waiting' : shownStanding(work, serverStanding);
  const isPlanAsked = questions.some(({ tool }) => tool === PLAN);
  const isQueued = serverStanding === 'queued';
  // The place in the queue changes when other runs leave it.
  const waiting = isQueued ? store.runs.value.filter((one) => one.standing === 'queued').length : 0;
  const failedAt = summary?.failedAt;
  useEffect(() => followed.reload(), [followed, serverStanding, waiting, failedAt]);
  const base = `/api/runs/${followed.id}`;
  const isBlank = summary === undefined && detail === null && work.seq === 0;
  if (isBlank && followed.isUnknown.value) return <Unknown what="run" />;
  if (isBlank) return <ProblemAlert words={followed.problem.value} />;
  return (
    <div class="run">
      <RunHead {...{ store, work, standing, serverStanding, base }} />
      <ProblemAlert words={serverStanding === 'damaged' ? '' : followed.problem.value} />
      <section aria-label="Questions" class="questions">
        {questions.map((question) => (
          <QuestionCard key={question.id} {...{ store, question }} path={base} />
        ))}
      </section>
      <TakeOver
        {...{ store, base, serverStanding, detail }}
        problem={followed.problem.value}
        done={followed.reload}
      />
      <EndingCard
        {...{ work, standing, serverStanding, detail }}
        said={detail ?? followed.said ?? null}
        isStuck={failedAt !== undefined}
      >
        <NextSteps {...{ store, base }} steps={detail?.next ?? []} done={followed.reload} />
      </EndingCard>
      {isQueued && <QueueCard place={detail?.place ?? null} />}
      {(work.seq > 0 || !BLANK.has(serverStanding)) && (
        <RunBody
          {...{ store, work, standing, serverStanding, base, isPlanAsked }}
          reload={followed.reload}
        />
      )}
    </div>
  );
}

interface BodyProps extends HeadProps {
  readonly isPlanAsked: boolean;
  readonly reload: () => void;
}

/** During the work, the plan is beside the current action; afterwards, the results come before the history. */
function RunBody(props: BodyProps) {
  const { store, work, standing, serverStanding, base, isPlanAsked, reload } = props;
  const entries = serverStanding === 'killed' ? withCut(work) : work.entries;
  const [tab, setTab] = useState<Tab>('Changes');
  const [chosen, setChosen] = useState<number | null>(null);
  const isWorking = isAtWork(serverStanding);
  const [hasEnded, isUnknown] = [isOverStanding(standing), serverStanding === 'damaged'];
  const pick = (subtask: string) => {
    const at = work.entries.findIndex((entry) => entry.subtask === subtask);
    if (at >= 0) setChosen(at);
    setTab('Story');
  };
  const plan = (
    <section key="plan" class="card run-plan" aria-label="Plan of the run">
      <h2>Plan</h2>
      <PlanTree {...{ work, pick, isWorking, isUnknown }} />
    </section>
  );
  const timeline = entries.length > 0 && (
    <TimelineCard key="timeline" entries={entries} chosen={chosen} choose={setChosen} />
  );
  return (
    <>
      {!hasEnded && (
        <div class="run-now">
          <div class="run-side">
            <Now {...{ store, work }} isWorking={isWorking && standing !== 'waiting'} />
            {isWorking && serverStanding === 'running' && store.may('work') && (
              <MessageForm store={store} base={base} />
            )}
            {timeline}
          </div>
          {!isPlanAsked && plan}
        </div>
      )}
      <section key="tabs" class="card">
        <Tabs tab={tab} setTab={setTab} />
        <div role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`}>
          {tab === 'Changes' && (
            <ChangesSection {...{ store, work, base, isWorking, isUnknown, reload }} />
          )}
          {tab === 'Proof' && <ProofView work={work} />}
          {tab === 'Story' && <Story entries={work.entries} isConversation={false} />}
          {tab === 'Cost' && <CostView work={work} />}
        </div>
      </section>
      {hasEnded && timeline}
      {hasEnded && plan}
    </>
  );
}

/** The work, completed by the server's summary until the journal is read. */
const withDetail = (work: WatchedWork, detail: RunDetail | null): WatchedWork =>
  detail === null || work.seq > 0
    ? {
        ...work,
        number: work.number ?? detail?.number ?? null,
        workspace: work.workspace || (detail?.path ?? ''),
      }
    : {
        ...work,
        number: detail.number,
        title: detail.goal,
        workspace: detail.path,
        plan: detail.plan,
        model: detail.model?.model ?? '',
        window: detail.model?.contextWindow ?? 0,
        usage: detail.usage,
        costUsd: detail.costUsd ?? 0,
        unpricedTurns: detail.unpricedTurns,
        workedMs: detail.workedMs,
        turns: detail.turns,
      };

/** Prefers the questions of the running process, which say more than those of the journal. */
function questionsOf(
  store: Store,
  run: string,
  asked: readonly OpenPermissionRequest[],
): readonly Question[] {
  if (store.isSaved) return [];
  const fromServer = store.questions.value
    .filter((one) => one.run === run)
    .map((one) => one.question);
  const knownIds = new Set(fromServer.map(({ id }) => id));
  const others = asked
    .filter(({ id }) => !knownIds.has(id))
    .map((one) => ({ ...one, rules: [...one.rules] }));
  return [...fromServer, ...others];
}

interface HeadProps {
  readonly store: Store;
  readonly work: WatchedWork;
  readonly standing: string;
  readonly serverStanding: string;
  readonly base: string;
}

function RunHead({ store, work, standing, serverStanding, base }: HeadProps) {
  const { number, title, workspace, model } = work;
  const { isAsking, problem, ask } = useAsk();
  const [isWhole, setWhole] = useState(false);
  const stop = serverStanding === 'queued' ? 'Cancel' : 'Pause';
  const mayStop = store.may('work') && isAtWork(serverStanding);
  return (
    <header class="run-head">
      <div class="title-row">
        <h1>
          <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            <span>{title || 'A run'}</span>
          </button>
        </h1>
        {mayStop && (
          <button
            type="button"
            class="stop"
            aria-label={stop}
            disabled={isAsking}
            onClick={() => void ask(() => store.send(`${base}/cancel`, {}))}
          >
            <Icon shape={serverStanding === 'queued' ? 'failed' : 'paused'} />
            <span>{stop}</span>
          </button>
        )}
      </div>
      <ProblemAlert words={problem} />
      <p class="run-sums dim">
        {(mayStop || !hasVerdict(standing, serverStanding)) && <Badge standing={standing} />}
        {number !== null && <span>#{number}</span>}
        {workspace !== '' && <span title={workspace}>{lastPart(workspace)}</span>}
        {model !== '' && <span>{model}</span>}
        <Elapsed store={store} work={work} isRunning={!store.isSaved && isAtWork(serverStanding)} />
        {work.turns > 0 && <span>{tokenText(spent(work))} tokens</span>}
        {work.turns > 0 && <span>{sayCost(work.costUsd, work.unpricedTurns)}</span>}
        {!isOverStanding(standing) && <ContextMeter work={work} />}
      </p>
    </header>
  );
}

function Elapsed(props: { store: Store; work: WatchedWork; isRunning: boolean }) {
  const { store, work, isRunning } = props;
  const [now, setNow] = useState(store.browser.now());
  // Without news from the server the clock stops.
  const isAway = useContext(Away);
  useEffect(() => {
    if (!isRunning || isAway) return;
    const timer = setInterval(() => setNow(store.browser.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning, isAway]);
  const since = isRunning && work.lastAt > 0 ? Math.max(0, now - work.lastAt) : 0;
  const took = work.workedMs + since;
  const suffix = isRunning && isAway ? ' when last seen' : '';
  return took > 0 ? <span class="clock">{`${duration(took)}${suffix}`}</span> : null;
}

function MessageForm({ store, base }: { store: Store; base: string }) {
  const [text, setText] = useState('');
  const { isAsking, problem, ask } = useAsk();
  const send = () => {
    if (text.trim() === '') return;
    void ask(() => store.send(`${base}/say`, { text: text.trim() })).then((isTaken) => {
      // Text that was typed meanwhile stays.
      if (isTaken) setText((now) => (now === text ? '' : now));
    });
  };
  return (
    <RequestForm class="say" submit={send}>
      <input
        aria-label="Say something to the model while it works"
        placeholder="Tell the model"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={isAsking || text.trim() === ''}>
        Send
      </button>
      <ProblemAlert words={problem} />
    </RequestForm>
  );
}
