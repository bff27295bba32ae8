/**
 * One question that waits for a person, with the exact words of what would be done.
 *
 * 1. A key counts only on the question that has the focus, and only once a person could have read it.
 * 2. What is pressed is no answer yet: it is one when the server says so.
 */
import { useRef, useState } from 'preact/hooks';
import type { Question } from '../../server/api/run-schemas.ts';
import { NOTHING } from '../fold/work.ts';
import type { Store } from '../store.ts';
import { ChangeInput } from './change-input.tsx';
import { ExactWords, visible, Wider } from './exact-words.tsx';
import { Facts, Icon, isScreen, Problem, useAsk } from './parts.tsx';
import { PlanTree } from './plan.tsx';

/** What asks in the place of a tool where a plan waits for a yes. */
export const PLAN = 'the plan';

type Answer = 'once' | 'run' | 'always' | 'no';

/** Of having the focus, before a key counts: a second `y` must not answer what nobody has seen. */
const READ_MS = 600;
const KEYS: { readonly [key: string]: Answer | 'change' } = {
  ...{ y: 'once', r: 'run', a: 'always' },
  ...{ c: 'change', n: 'no' },
};

interface Offered {
  /** Asked by a conversation. */
  readonly isTalk: boolean;
  readonly isRuled: boolean;
  readonly canAlways: boolean;
  readonly canChange: boolean;
  /** Nobody is told why: there is no call that a model made. */
  readonly isPlan: boolean;
  readonly canRefuse: boolean;
}

type Form = 'answers' | 'refuse' | 'change';

function isOffered(
  pressed: Answer | 'change',
  { isRuled, canAlways, canChange, canRefuse }: Offered,
) {
  if (pressed === 'run') return isRuled;
  if (pressed === 'always') return canAlways;
  if (pressed === 'no') return canRefuse;
  return pressed !== 'change' || canChange;
}

interface Props {
  readonly store: Store;
  readonly question: Question;
  /** Where the answer goes. */
  readonly path: string;
  /** Whose it is; left out where that is plain. */
  readonly of?: string | undefined;
  readonly href?: string | undefined;
}

export function QuestionCard({ store, question, path, of, href }: Props) {
  const since = useRef(0);
  const [form, setForm] = useState<Form>('answers');
  const { isAsking, problem, ask } = useAsk();
  // Where nobody works, a yes is kept for this call alone.
  const isRuled = question.rules.length > 0 && !question.isNoted;
  const canAlways = isRuled && question.isForRunOnly !== true;
  const isPlan = question.tool === PLAN;
  // Nobody works on it: a yes goes on with it.
  const isResume = isPlan && question.isNoted;
  const say = (answer: Answer, more: object = {}): void => {
    void ask(() =>
      isResume
        ? store.send(`${path}/resume`, { agree: true })
        : store.send(`${path}/approvals/${question.id}`, { answer, ...more }),
    );
  };
  const offered = {
    isTalk: path.startsWith('/api/sessions/'),
    ...{ isRuled, canAlways, isPlan, canRefuse: !isResume },
    canChange: question.input !== undefined,
  };
  const mayAnswer = store.may(isResume ? 'work' : 'answer');
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (form !== 'answers' || !mayAnswer) return;
    const pressed = KEYS[event.key];
    if (pressed === undefined || store.doors.now() - since.current < READ_MS) return;
    if (!isOffered(pressed, offered)) return;
    event.preventDefault();
    if (pressed === 'change') setForm('change');
    else if (pressed === 'no' && !isPlan) setForm('refuse');
    else say(pressed);
  };
  return (
    <article
      class="question"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys answer it
      tabIndex={0}
      aria-label={`Question: ${question.tool} ${question.target}`}
      onKeyDown={press}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) {
          since.current = store.doors.now();
        }
      }}
    >
      <QuestionHead {...{ question, of, href }} />
      <Wanted question={question} />
      <QuestionFacts question={question} />
      <Problem words={problem} />
      {mayAnswer && <Forms {...{ question, offered, form, setForm, isAsking, say }} />}
    </article>
  );
}

/** What would be done: of a plan its tree. */
const Wanted = ({ question }: Pick<Props, 'question'>) =>
  question.plan ? (
    <PlanTree work={{ ...NOTHING, plan: question.plan }} isWorking={false} pick={() => {}} />
  ) : (
    <ExactWords question={question} title={question.target || question.tool} />
  );

interface FormsProps {
  readonly question: Question;
  readonly offered: Offered;
  readonly form: Form;
  readonly setForm: (form: Form) => void;
  readonly isAsking: boolean;
  readonly say: (answer: Answer, more?: object) => void;
}

function Forms({ question, offered, form, setForm, isAsking, say }: FormsProps) {
  const cancel = () => setForm('answers');
  if (form === 'refuse')
    return <Refusal send={(why) => say('no', why === '' ? {} : { why })} cancel={cancel} />;
  if (form === 'change' && question.input !== undefined)
    return (
      <ChangeInput
        {...{ input: question.input, isPlan: offered.isPlan }}
        send={(input) => say('once', { input })}
        cancel={cancel}
      />
    );
  return (
    <>
      {offered.isRuled && <Wider {...question} canAlways={offered.canAlways} />}
      <Answers {...{ ...offered, isAsking, say, setForm }} />
    </>
  );
}

const PLAN_REASON =
  'This run shows its plan before any work. With a yes the work begins; with a no the run is paused, and nothing was changed.';

/** Nobody works on it, so that nobody could check a changed plan. */
const NOTED_PLAN_REASON =
  'It is paused and has changed nothing. A yes goes on with this plan; once it is resumed it asks again, and the plan can be changed.';

/** On a phone the answers come first: what is not the reason is a tap away. */
function QuestionFacts({ question }: Pick<Props, 'question'>) {
  const ofPlan = question.isNoted ? NOTED_PLAN_REASON : PLAN_REASON;
  const why = ['Why it asks', question.tool === PLAN ? ofPlan : question.reason] as const;
  const folder = ['In the folder', question.folder ?? ''] as const;
  const program = ['Program', question.program ?? ''] as const;
  if (!program[1] || !isScreen('(max-width: 480px)'))
    return <Facts rows={[why, folder, program]} />;
  return (
    <>
      <Facts rows={[why, folder]} />
      <details>
        <summary class="dim">Details</summary>
        <Facts rows={[program]} />
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
              <code>{question.tool}</code> was refused for now
            </>
          ) : question.inputText?.startsWith('--- ') ? (
            `May it change ${visible(question.target)}?`
          ) : question.argv == null ? (
            <>
              May it use <code>{question.tool}</code>?
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

interface AnswersProps extends Offered {
  readonly isAsking: boolean;
  readonly say: (answer: Answer) => void;
  readonly setForm: (form: 'refuse' | 'change') => void;
}

const Answers = ({
  isRuled,
  isTalk,
  canAlways,
  isAsking,
  canChange,
  isPlan,
  canRefuse,
  say,
  setForm,
}: AnswersProps) => (
  <div class="answers">
    <button type="button" class="primary" disabled={isAsking} onClick={() => say('once')}>
      {isPlan ? 'Yes' : 'Yes, once'} <kbd>y</kbd>
    </button>
    {canRefuse && (
      <button
        type="button"
        disabled={isAsking}
        onClick={() => (isPlan ? say('no') : setForm('refuse'))}
      >
        No <kbd>n</kbd>
      </button>
    )}
    {canChange && (
      <button type="button" class="wider" disabled={isAsking} onClick={() => setForm('change')}>
        Edit first… <kbd>c</kbd>
      </button>
    )}
    {isRuled && (
      <button type="button" class="wider" disabled={isAsking} onClick={() => say('run')}>
        {isTalk ? 'Yes, for this conversation' : 'Yes, for this run'} <kbd>r</kbd>
      </button>
    )}
    {canAlways && (
      <button type="button" class="wider" disabled={isAsking} onClick={() => say('always')}>
        Yes, always here <kbd>a</kbd>
      </button>
    )}
  </div>
);

function Refusal({ send, cancel }: { send: (why: string) => void; cancel: () => void }) {
  const [why, setWhy] = useState('');
  return (
    <form
      class="refusal"
      onSubmit={(event) => {
        event.preventDefault();
        send(why.trim());
      }}
    >
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
    </form>
  );
}
