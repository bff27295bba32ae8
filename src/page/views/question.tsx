/**
 * One open question, with the exact words of the call.
 * 1. A key counts only on the focused question, and only after a person could have read it.
 * 2. A pressed button is not an answer until the server confirms it.
 */
import { useRef, useState } from 'preact/hooks';
import type { Question } from '../../server/api/run-schemas.ts';
import { toolLabel } from '../../shown/calls.ts';
import { withHiddenShown } from '../fold/visible.ts';
import { isBelow } from '../fold/words.ts';
import { EMPTY_WORK } from '../fold/work.ts';
import type { Store } from '../store.ts';
import { ChangeInput } from './change-input.tsx';
import { ExactWords, WiderAnswers } from './exact-words.tsx';
import { FactList, Icon, isScreen, ProblemAlert, RequestForm } from './parts.tsx';
import { PlanTree } from './plan.tsx';
import { type ApprovalAnswer, useAnswer } from './use-answer.ts';

/** The tool name of a question about the plan. */
export const PLAN = 'the plan';

/** Time in focus before a key counts: a second `y` must not answer an unread question. */
const READ_MS = 600;
const KEYS: { readonly [key: string]: ApprovalAnswer | 'change' } = {
  y: 'once',
  r: 'run',
  a: 'always',
  c: 'change',
  n: 'no',
};

interface AnswerOptions {
  /** True if a conversation asks. */
  readonly isTalk: boolean;
  readonly offersRules: boolean;
  readonly canAlways: boolean;
  readonly canChange: boolean;
  /** True for a plan: no model made a call, so a refusal takes no reason. */
  readonly isPlan: boolean;
  readonly canRefuse: boolean;
}

type OpenForm = 'answers' | 'refuse' | 'change';

function isOffered(
  pressed: ApprovalAnswer | 'change',
  { offersRules, canAlways, canChange, canRefuse }: AnswerOptions,
) {
  if (pressed === 'run') return offersRules;
  if (pressed === 'always') return canAlways;
  if (pressed === 'no') return canRefuse;
  return pressed !== 'change' || canChange;
}

interface Props {
  readonly store: Store;
  readonly question: Question;
  /** The API path that takes the answer. */
  readonly path: string;
  /** The run or conversation that asks; left out if the view shows it. */
  readonly of?: string | undefined;
  readonly href?: string | undefined;
}

export function QuestionCard({ store, question, path, of, href }: Props) {
  const focusedAt = useRef(0);
  const [form, setForm] = useState<OpenForm>('answers');
  // Without a running process, a yes is kept for this call only.
  const offersRules = question.rules.length > 0 && !question.isNoted;
  const canAlways = offersRules && question.isForRunOnly !== true;
  const isPlan = question.tool === PLAN;
  // Without a running process, a yes resumes the run.
  const isResume = isPlan && question.isNoted;
  const { isAsking, problem, send } = useAnswer({ store, question, path, isResume });
  const options = {
    isTalk: path.startsWith('/api/sessions/'),
    offersRules,
    canAlways,
    isPlan,
    canRefuse: !isResume,
    canChange: question.input !== undefined,
  };
  const outside = isOutside(store, path);
  const mayAnswer = store.may('answer') && !outside;
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (form !== 'answers' || !mayAnswer) return;
    const pressed = KEYS[event.key];
    if (pressed === undefined || store.browser.now() - focusedAt.current < READ_MS) return;
    if (!isOffered(pressed, options)) return;
    event.preventDefault();
    if (pressed === 'change') setForm('change');
    else if (pressed === 'no' && !isPlan) setForm('refuse');
    else send(pressed);
  };
  return (
    <article
      class="question"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys answer it
      tabIndex={0}
      aria-label={`Question: ${question.tool} ${question.target}`}
      onKeyDown={press}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null))
          focusedAt.current = store.browser.now();
      }}
    >
      <QuestionHead {...{ question, of, href }} />
      <RequestedCall question={question} />
      <QuestionFacts question={question} />
      <ProblemAlert words={problem} />
      {outside && <p class="dim">This server only shows work in that folder: answer it there.</p>}
      {mayAnswer && <Forms {...{ question, options, form, setForm, isAsking, send }} />}
    </article>
  );
}

/** True for a run in a folder where the server may not work: it refuses an answer. */
function isOutside(store: Store, path: string): boolean {
  const run = store.runs.value.find(({ id }) => path === `/api/runs/${id}`);
  return run !== undefined && !isBelow(run.path, store.me.value?.roots ?? [run.path]);
}

/** The call that is asked about; for a plan, its tree. */
const RequestedCall = ({ question }: Pick<Props, 'question'>) =>
  question.plan ? (
    <PlanTree work={{ ...EMPTY_WORK, plan: question.plan }} isWorking={false} pick={() => {}} />
  ) : (
    <ExactWords question={question} title={question.target || question.tool} />
  );

interface FormsProps {
  readonly question: Question;
  readonly options: AnswerOptions;
  readonly form: OpenForm;
  readonly setForm: (form: OpenForm) => void;
  readonly isAsking: boolean;
  readonly send: (answer: ApprovalAnswer, more?: object) => void;
}

function Forms({ question, options, form, setForm, isAsking, send }: FormsProps) {
  const cancel = () => setForm('answers');
  if (form === 'refuse')
    return <Refusal send={(why) => send('no', why === '' ? {} : { why })} cancel={cancel} />;
  if (form === 'change' && question.input !== undefined)
    return (
      <ChangeInput
        {...{ input: question.input, isPlan: options.isPlan }}
        send={(input) => send('once', { input })}
        cancel={cancel}
      />
    );
  return (
    <>
      {options.offersRules && <WiderAnswers {...question} canAlways={options.canAlways} />}
      <Answers {...{ ...options, isAsking, send, setForm }} />
    </>
  );
}

const PLAN_REASON =
  'This run shows its plan before any work. With a yes the work begins; with a no the run is paused, and nothing was changed.';

/** The reason at a plan without a running process: only such a process could check an edited plan. */
const NOTED_PLAN_REASON =
  'It is paused and has changed nothing. A yes goes on with this plan; once it is resumed it asks again, and the plan can be changed.';

/** On a phone all but the reason and the folder is folded away, so that the buttons are near. */
function QuestionFacts({ question }: Pick<Props, 'question'>) {
  const ofPlan = question.isNoted ? NOTED_PLAN_REASON : PLAN_REASON;
  const why = ['Why it asks', question.tool === PLAN ? ofPlan : question.reason] as const;
  const folder = ['In the folder', question.folder ?? ''] as const;
  const program = ['Program', question.program ?? ''] as const;
  if (!program[1] || !isScreen('(max-width: 480px)'))
    return <FactList rows={[why, folder, program]} />;
  return (
    <>
      <FactList rows={[why, folder]} />
      <details>
        <summary class="dim">Details</summary>
        <FactList rows={[program]} />
      </details>
    </>
  );
}

function QuestionHead({ question, of, href }: Pick<Props, 'question' | 'of' | 'href'>) {
  return (
    <header>
      <Icon shape="waiting" tone="warn" />
      <div>
        <p class="question-kind">
          {question.tool === PLAN ? (
            'Use this plan?'
          ) : question.isNoted ? (
            <>
              <code>{toolLabel(question.tool)}</code> was refused for now
            </>
          ) : question.inputText?.startsWith('--- ') ? (
            `May it change ${withHiddenShown(question.target)}?`
          ) : question.argv == null ? (
            <>
              May it use <code>{toolLabel(question.tool)}</code>?
            </>
          ) : (
            'May it run this?'
          )}
        </p>
        {of && href && (
          <a class="dim" href={href}>
            {of}
          </a>
        )}
      </div>
    </header>
  );
}

interface AnswersProps extends AnswerOptions {
  readonly isAsking: boolean;
  readonly send: (answer: ApprovalAnswer) => void;
  readonly setForm: (form: 'refuse' | 'change') => void;
}

const Answers = ({
  offersRules,
  isTalk,
  canAlways,
  isAsking,
  canChange,
  isPlan,
  canRefuse,
  send,
  setForm,
}: AnswersProps) => (
  <div class="answers">
    <button type="button" class="primary" disabled={isAsking} onClick={() => send('once')}>
      {isPlan ? 'Yes' : 'Yes, once'} <kbd>y</kbd>
    </button>
    {canRefuse && (
      <button
        type="button"
        disabled={isAsking}
        onClick={() => (isPlan ? send('no') : setForm('refuse'))}
      >
        No <kbd>n</kbd>
      </button>
    )}
    {canChange && (
      <button type="button" class="wider" disabled={isAsking} onClick={() => setForm('change')}>
        Edit first… <kbd>c</kbd>
      </button>
    )}
    {offersRules && (
      <button type="button" class="wider" disabled={isAsking} onClick={() => send('run')}>
        {isTalk ? 'Yes, for this conversation' : 'Yes, for this run'} <kbd>r</kbd>
      </button>
    )}
    {canAlways && (
      <button type="button" class="wider" disabled={isAsking} onClick={() => send('always')}>
        Yes, always here <kbd>a</kbd>
      </button>
    )}
  </div>
);

function Refusal({ send, cancel }: { send: (why: string) => void; cancel: () => void }) {
  const [why, setWhy] = useState('');
  return (
    <RequestForm class="refusal" submit={() => send(why.trim())}>
      <label>
        A word to the model, if you like
        <input
          value={why}
          maxLength={4000}
          onInput={(event) => setWhy(event.currentTarget.value)}
          ref={(input) => input?.focus()}
          onKeyDown={(event) => {
            if (event.key === 'Escape') cancel();
          }}
        />
      </label>
      <p class="dim">The call is not carried out, and the model is told.</p>
      <div class="answers">
        <button type="submit">Say no</button>
        <button type="button" class="refuse" onClick={cancel}>
          Back
        </button>
      </div>
    </RequestForm>
  );
}
