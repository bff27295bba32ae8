/** The plan as a tree. Steps that are done, active and open differ in shape, as do claimed and proved ones. */
import { Fragment } from 'preact';
import { useContext } from 'preact/hooks';
import type { Plan, Subtask } from '../../schema/plan.ts';
import { type LifeSign, planMarks, stepOf, taskOf } from '../fold/steps.ts';
import { duration, endingOf, plural, tokenText } from '../fold/words.ts';
import type { Sum, WatchedWork, WorkEntry } from '../fold/work.ts';
import { Away, Icon, Legend, walkRows } from './parts.tsx';

interface PlanProps {
  readonly work: WatchedWork;
  /** True if a process works on it, or did when the page last heard of it. */
  readonly isWorking: boolean;
  /** True if the journal is damaged, so that the plan is unknown. */
  readonly isUnknown?: boolean;
  readonly pick: (subtask: string) => void;
}

export function PlanTree({ work, isWorking, isUnknown = false, pick }: PlanProps) {
  const { plan, formerPlans } = work;
  const isAway = useContext(Away);
  const live = !isWorking ? 'still' : isAway ? 'seen' : 'live';
  if (plan === null && isUnknown) return <p class="dim">The damaged record does not say.</p>;
  if (plan === null) return <p class="dim">There is no plan{isWorking && ' yet'}.</p>;
  return (
    <>
      <ul
        class="tree"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a list that is a tree
        role="tree"
        aria-label="Plan"
        onKeyDown={(event) => walkRows(event, '[role=treeitem]')}
      >
        {plan.tasks.map((task, at) => (
          <Fragment key={task.id}>
            <TaskRow {...{ task, work, live }} isFirst={at === 0} />
            {task.subtasks.map((subtask) => (
              <SubtaskRow key={subtask.id} {...{ subtask, work, live, pick }} />
            ))}
          </Fragment>
        ))}
      </ul>
      <PlanLegend {...{ work, live }} />
      {plan.proof && (
        <p class="proof-line">
          <Icon
            {...(work.standing === 'achieved'
              ? endingOf('achieved', work.beyond)
              : { shape: 'proved', tone: 'plain' })}
          />
          <span>
            Proof <code>{plan.proof.cmd}</code>
            <span class="proof-said dim">{sayProof(work.entries)}</span>
          </span>
        </p>
      )}
      {formerPlans.map((former, at) => (
        <FormerPlan key={at} plan={former} number={at + 1} />
      ))}
    </>
  );
}

/** Says only what was seen: a proof that passed once says nothing about later changes. */
function sayProof(entries: readonly WorkEntry[]): string {
  const last = entries
    .filter((one) => one.kind === 'check' && one.isProof && one.copy === '')
    .at(-1);
  if (last?.kind !== 'check') return 'It has not run yet.';
  if (last.when === 'before')
    return last.passed ? 'It passed before the work, too.' : RED_BEFORE[last.red];
  if (last.passed) return 'It passed when it was run last.';
  return `It ${last.red === 'absent' ? 'could not run' : 'did not pass'} when it was run last.`;
}

const RED_BEFORE = {
  failed: 'It failed before the work, as it must.',
  absent: 'It could not run before the work, which shows little.',
  unknown: 'It did not pass before the work; why is not known.',
} as const;

interface RowProps {
  readonly work: WatchedWork;
  readonly live: LifeSign;
}

function TaskRow(props: RowProps & { task: Plan['tasks'][number]; isFirst: boolean }) {
  const { task, work, live, isFirst } = props;
  const { shape, tone, word } = taskOf(task, work, live);
  return (
    <li
      role="treeitem"
      class="task"
      aria-level={1}
      aria-expanded="true"
      tabIndex={isFirst ? 0 : -1}
    >
      <div class="tree-row" title={word}>
        <Icon {...{ shape, tone }} />
        <span class="tree-text">
          {task.description}
          <Unseen word={word} />
        </span>
      </div>
    </li>
  );
}

function SubtaskRow(props: RowProps & { subtask: Subtask; pick: PlanProps['pick'] }) {
  const { subtask, work, live, pick } = props;
  const { shape, tone, word } = stepOf(subtask, work, live);
  const open = () => pick(subtask.id);
  return (
    <li
      role="treeitem"
      tabIndex={-1}
      aria-level={2}
      class={`subtask status-${shape === 'working' ? 'working' : subtask.status}`}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') open();
      }}
    >
      <div class="tree-row" title={word}>
        <Icon {...{ shape, tone }} />
        <span class="tree-text">
          <span class="number">{subtask.id}</span> {subtask.purpose}
          <Unseen word={word} />
          {subtask.step && <code class="target">{subtask.step.target}</code>}
        </span>
        <SumView sum={work.sums[subtask.id]} />
      </div>
    </li>
  );
}

/** The legend of the plan, unless every step is still open. */
function PlanLegend({ work, live }: RowProps) {
  const marks = planMarks(work, live);
  if (marks.every(({ shape }) => shape === 'open')) return null;
  return (
    <Legend
      label="What the marks of the plan mean"
      marks={marks.map(({ shape, tone, word }) => [<Icon key={word} {...{ shape, tone }} />, word])}
    />
  );
}

/** The meaning of the shape, for screen readers. */
const Unseen = ({ word }: { word: string }) => <span class="unseen">, {word}</span>;

const SumView = ({ sum }: { sum: Sum | undefined }) =>
  sum === undefined ? null : (
    <span class="sum">
      {sum.added > 0 && <span class="plus">+{sum.added}</span>}
      {sum.removed > 0 && <span class="minus">−{sum.removed}</span>}
      {sum.tokens > 0 && <span>{tokenText(sum.tokens)} tokens</span>}
      {sum.to > sum.from && <span>{duration(sum.to - sum.from)}</span>}
    </span>
  );

function FormerPlan({ plan, number }: { plan: Plan; number: number }) {
  const subtasks = plan.tasks.flatMap((task) => task.subtasks);
  return (
    <details class="former">
      <summary>
        Plan {number}, given up ({plural(subtasks.length, 'subtask')})
      </summary>
      <ul>
        {subtasks.map((subtask) => (
          <li key={subtask.id}>
            <s>
              {subtask.id} {subtask.purpose}
            </s>
          </li>
        ))}
      </ul>
    </details>
  );
}
