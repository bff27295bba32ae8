/** The plan as a tree: what is done, what is going on, what comes. What is said and what is proved differ in shape. */
import { Fragment } from 'preact';
import type { Plan, Subtask } from '../../schema/plan.ts';
import { duration, plural, type Shape, tokens } from '../fold/words.ts';
import type { Entry, Sum, Work } from '../fold/work.ts';
import { Icon, walkRows } from './parts.tsx';

const SHAPES: { readonly [status in Subtask['status']]: readonly [Shape, string] } = {
  pending: ['open', 'to do'],
  in_progress: ['working', 'in work'],
  completed: ['done', 'done'],
  unverified: ['unsure', 'done, not checked'],
  failed: ['failed', 'failed'],
};
/** Of what nobody works on. */
const STOPPED: readonly [Shape, string] = ['paused', 'stopped here'];

const shapeOf = (status: Subtask['status'], isWorking: boolean): readonly [Shape, string] =>
  status === 'in_progress' && !isWorking ? STOPPED : SHAPES[status];

interface PlanProps {
  readonly work: Work;
  readonly isWorking: boolean;
  /** Its record is damaged, so nothing is known of it. */
  readonly isUnknown?: boolean;
  readonly pick: (subtask: string) => void;
}

export function PlanTree({ work, isWorking, isUnknown = false, pick }: PlanProps) {
  const { plan, sums, formerPlans } = work;
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
            <TaskRow {...{ task, isWorking }} isFirst={at === 0} />
            {task.subtasks.map((subtask) => (
              <SubtaskRow
                key={subtask.id}
                {...{ subtask, isWorking, pick }}
                sum={sums[subtask.id]}
              />
            ))}
          </Fragment>
        ))}
      </ul>
      {plan.proof && (
        <p class="proof-line">
          <Icon shape="proved" tone={work.standing === 'achieved' ? 'good' : 'plain'} />
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

/** Only what was seen: a proof that passed once says nothing of what was changed since. */
function sayProof(entries: readonly Entry[]): string {
  const last = entries
    .filter((one) => one.kind === 'check' && one.isProof && one.copy === '')
    .at(-1);
  if (last?.kind !== 'check') return 'It has not run yet.';
  const when = last.when === 'before' ? 'before the work' : 'when it was run last';
  return `It ${last.passed ? 'passed' : 'did not pass'} ${when}.`;
}

interface TaskProps extends Pick<PlanProps, 'isWorking'> {
  readonly task: Plan['tasks'][number];
  readonly isFirst: boolean;
}

function TaskRow({ task, isFirst, isWorking }: TaskProps) {
  const [shape, word] = shapeOf(statusOf(task.subtasks), isWorking);
  return (
    <li
      role="treeitem"
      class="task"
      aria-level={1}
      aria-expanded="true"
      tabIndex={isFirst ? 0 : -1}
    >
      <div class="tree-row">
        <Icon shape={shape} tone={shape === 'working' ? 'live' : 'plain'} />
        <span class="tree-text">
          {task.description}
          <Unseen word={word} />
        </span>
      </div>
    </li>
  );
}

function statusOf(subtasks: readonly Subtask[]): Subtask['status'] {
  const has = (status: Subtask['status']) => subtasks.some((one) => one.status === status);
  if (has('in_progress')) return 'in_progress';
  if (has('failed')) return 'failed';
  if (has('pending')) return has('completed') || has('unverified') ? 'in_progress' : 'pending';
  return has('unverified') ? 'unverified' : 'completed';
}

interface SubtaskProps extends Pick<PlanProps, 'isWorking' | 'pick'> {
  readonly subtask: Subtask;
  readonly sum: Sum | undefined;
}

function SubtaskRow({ subtask, sum, isWorking, pick }: SubtaskProps) {
  const [shape, word] = shapeOf(subtask.status, isWorking);
  const tone = shape === 'working' ? 'live' : shape === 'failed' ? 'bad' : 'plain';
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
      <div class="tree-row">
        <Icon shape={shape} tone={tone} />
        <span class="tree-text">
          <span class="number">{subtask.id}</span> {subtask.purpose}
          {shape === 'unsure' ? <span class="dim"> ({word})</span> : <Unseen word={word} />}
          {subtask.step && <code class="target">{subtask.step.target}</code>}
        </span>
        <SumView sum={sum} />
      </div>
    </li>
  );
}

/** What the shape says, for who does not see it. */
const Unseen = ({ word }: { word: string }) => <span class="unseen">, {word}</span>;

const SumView = ({ sum }: { sum: Sum | undefined }) =>
  sum === undefined ? null : (
    <span class="sum">
      {sum.added > 0 && <span class="plus">+{sum.added}</span>}
      {sum.removed > 0 && <span class="minus">−{sum.removed}</span>}
      {sum.tokens > 0 && <span>{tokens(sum.tokens)} tokens</span>}
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
