/** Starts a run with a goal, or a conversation, in a folder and with a model. */
import { useContext, useState } from 'preact/hooks';
import type { RunBegun, RunBody } from '../../server/api/run-schemas.ts';
import type { SandboxHere } from '../../server/api/schemas.ts';
import type { SessionBegun } from '../../server/api/session-schemas.ts';
import { ServerProblem } from '../../server/client/problem.ts';
import { isConfined, type SandboxWish, sayReach } from '../fold/sandbox.ts';
import { isAtWork, plural } from '../fold/words.ts';
import { errorWords, type Store } from '../store.ts';
import { CommandLineSection } from './command-line.tsx';
import { ModelSelect, NoModel, readModelChoice } from './model-choice.tsx';
import { Away, Empty, ProblemAlert, RequestForm } from './parts.tsx';
import { NEW_GOAL } from './places.ts';

const NO_INPUT = {
  goal: '',
  proof: '',
  folder: '',
  model: '',
  cost: '',
  minutes: '',
  sandbox: '' as SandboxWish,
  agreePlan: false,
};
type GoalInput = Readonly<typeof NO_INPUT>;

export function NewGoal({ store }: { store: Store }) {
  const [input, setInput] = useState({ ...NO_INPUT, goal: store.drafts.get(NEW_GOAL) ?? '' });
  const { problem, isOutside, isAsking, begin } = useStart(store, input.goal);
  const [first] = foldersFor(store);
  const folder = input.folder || (first ?? store.me.value?.roots[0] ?? '');
  const set = (more: Partial<GoalInput>) => {
    if (more.goal !== undefined) store.drafts.set(NEW_GOAL, more.goal);
    setInput({ ...input, ...more });
  };
  const talk = { workspacePath: folder, ...readModelChoice(input.model) };
  if (!store.may('work')) return <Empty title="This link cannot begin a run." />;
  return (
    <div class="new-goal">
      <h1>New goal</h1>
      <NoModel store={store} />
      <RequestForm
        class="card"
        submit={() => void begin('/api/runs', bodyOf(input, folder), 'run')}
      >
        <GoalText input={input} set={set} />
        {store.may('answer') && <ProofText input={input} set={set} />}
        <div class="two-columns">
          <FolderChoice {...{ store, folder, set }} fault={isOutside ? problem : ''} />
          <label for="model">
            Model
            <ModelSelect
              {...{ store, id: 'model', value: input.model, usual: 'The one in your settings' }}
              choose={(model) => set({ model })}
            />
          </label>
        </div>
        <Busy {...{ store, folder }} />
        <CommandLineSection store={store} run={bodyOf(input, folder)} />
        <Limits {...{ input, set }} {...limitsOf(store)} />
        {!isOutside && <ProblemAlert words={problem} />}
        <div class="answers">
          <button type="submit" class="primary" disabled={isAsking}>
            Begin the run
          </button>
          <button
            type="button"
            disabled={isAsking}
            onClick={() => void begin('/api/sessions', talk, 'talk')}
          >
            Talk instead
          </button>
          <p class="dim">
            A run works by itself and says at its end what is proved. A conversation opens with your
            words in its message box; nothing is sent until you do.
          </p>
        </div>
      </RequestForm>
    </div>
  );
}

/** The folders in which work may begin, the last used first. */
const foldersFor = (store: Store): readonly string[] =>
  store.folders.value
    .filter(({ mayWork }) => mayWork)
    .toSorted((one, other) => other.lastAt - one.lastAt)
    .map(({ path }) => path);

/** Says that the run will wait, because only one run works in a folder at a time. */
function Busy({ store, folder }: { store: Store; folder: string }) {
  const before = store.runs.value.filter(
    ({ path, standing }) => path === folder && isAtWork(standing),
  ).length;
  return before === 0 ? null : (
    <p class="dim">
      {plural(before, 'run')} {before === 1 ? 'works or waits' : 'work or wait'} in this folder;
      this one waits for its turn.
    </p>
  );
}

/** Starts the run or the conversation, and opens its view. */
function useStart(store: Store, goal: string) {
  const [problem, setProblem] = useState('');
  const [isOutside, setOutside] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isAway = useContext(Away);
  const begin = async (path: string, body: object, view: 'run' | 'talk') => {
    setAsking(true);
    try {
      const { id } = await store.api.begin<RunBegun | SessionBegun>(path, body);
      store.drafts.delete(NEW_GOAL);
      // The goal becomes the draft of the first message.
      if (view === 'talk') store.drafts.set(id, goal);
      location.hash = `#/${view}/${id}`;
    } catch (error) {
      // The field itself lists the allowed folders.
      const refused = error instanceof ServerProblem && error.problem.code === 'E_OUTSIDE';
      setOutside(refused);
      setProblem(refused ? error.problem.detail : errorWords(error));
    }
    setAsking(false);
  };
  return { problem, isOutside, isAsking: isAsking || isAway, begin };
}

interface PartProps {
  readonly input: GoalInput;
  readonly set: (more: Partial<GoalInput>) => void;
}

interface FolderProps extends Pick<PartProps, 'set'> {
  readonly store: Store;
  readonly folder: string;
  /** Why the server refused the folder; '': it did not. */
  readonly fault: string;
}

function FolderChoice({ store, folder, set, fault }: FolderProps) {
  const roots = store.me.value?.roots ?? [];
  return (
    <label>
      In the folder
      <input
        list="folders"
        required
        aria-invalid={fault !== ''}
        value={folder}
        onInput={(event) => set({ folder: event.currentTarget.value })}
      />
      {fault !== '' && (
        <span class="tone-bad" role="alert">
          {fault}
        </span>
      )}
      <span class="dim">Allowed: at or below {roots.join(' or ')}</span>
      <datalist id="folders">
        {[...new Set([...foldersFor(store), ...roots])].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}

const GoalText = ({ input, set }: PartProps) => (
  <label>
    What do you want done?
    <textarea
      rows={5}
      required
      value={input.goal}
      placeholder="Make the tests of the price rules pass, and say what was wrong"
      onInput={(event) => set({ goal: event.currentTarget.value })}
    />
  </label>
);

const ProofText = ({ input, set }: PartProps) => (
  <label>
    A command that shows that it is done
    <input
      value={input.proof}
      spellcheck={false}
      onInput={(event) => set({ proof: event.currentTarget.value })}
    />
    <span class="dim">
      It fails now, passes then, and runs without asking. Leave it empty if there is none.
    </span>
  </label>
);

/** Summarizes the limits of the run, so that they can be read without opening the section. */
function limitsInWords({ cost, minutes, agreePlan }: GoalInput): string {
  const limits = [cost && `$${cost}`, minutes && `${minutes} min`].filter(Boolean).join(' and ');
  return [
    limits === '' ? 'No limit of money or time is set here.' : `At most ${limits}.`,
    agreePlan ? 'It shows its plan first.' : 'It begins without showing its plan.',
  ].join(' ');
}

const limitsOf = (store: Store) => ({
  here: store.me.value?.sandbox,
  mayLoosen: store.may('answer'),
});

interface LimitsProps extends PartProps {
  readonly here: SandboxHere | undefined;
  /** True if this person may choose less than the settings require. */
  readonly mayLoosen: boolean;
}

const SandboxField = ({ input, set, here, mayLoosen }: LimitsProps) => (
  <label>
    Sandbox of its commands
    <select
      value={input.sandbox}
      onChange={(event) => set({ sandbox: event.currentTarget.value as SandboxWish })}
    >
      <option value="">As the settings say{here && ` (yours: ${here.usual})`}</option>
      {mayLoosen && <option value="auto">If this machine has one; else without</option>}
      <option value="require">Always; else do not begin</option>
      {mayLoosen && <option value="off">None</option>}
    </select>
  </label>
);

const Limits = ({ input, set, here, mayLoosen }: LimitsProps) => (
  <details>
    <summary>
      Limits and safety{' '}
      {here && (
        <span class={isConfined(input.sandbox, here) ? 'dim' : 'tone-warn'}>
          {sayReach(input.sandbox, here)}
        </span>
      )}{' '}
      <span class="dim">{limitsInWords(input)}</span>
    </summary>
    <div class="two-columns">
      <label>
        At most US dollars
        <input
          inputMode="decimal"
          pattern="[0-9]*[.]?[0-9]+"
          value={input.cost}
          onInput={(event) => set({ cost: event.currentTarget.value })}
        />
      </label>
      <label>
        At most minutes
        <input
          inputMode="numeric"
          pattern="[0-9]+"
          value={input.minutes}
          onInput={(event) => set({ minutes: event.currentTarget.value })}
        />
      </label>
      <SandboxField {...{ input, set, here, mayLoosen }} />
      <label>
        Before any work
        <select
          value={input.agreePlan ? 'plan' : ''}
          onChange={(event) => set({ agreePlan: event.currentTarget.value === 'plan' })}
        >
          <option value="">Begin at once</option>
          <option value="plan">Show me the plan for a yes</option>
        </select>
      </label>
    </div>
    <p class="dim">What is not allowed yet is asked in the inbox.</p>
  </details>
);

const bodyOf = (
  { goal, proof, model, cost, minutes, sandbox, agreePlan }: GoalInput,
  workspace: string,
): RunBody => ({
  workspace,
  goal: goal.trim(),
  ...readModelChoice(model),
  ...(proof.trim() === '' ? {} : { proof: proof.trim() }),
  ...(cost === '' ? {} : { maxCost: Number(cost) }),
  ...(minutes === '' ? {} : { maxTimeMs: Number(minutes) * 60_000 }),
  ...(sandbox === '' ? {} : { sandbox }),
  ...(agreePlan ? { agreePlan } : {}),
});
