/** The rules allowed "always here", by folder, with a button to withdraw each. */
import { useEffect, useState } from 'preact/hooks';
import type { Forgotten, Permissions } from '../../server/api/schemas.ts';
import { whoAnswered } from '../../shown/answers.ts';
import { withHiddenShown } from '../fold/visible.ts';
import { ago, plural } from '../fold/words.ts';
import { errorWords, type Store } from '../store.ts';
import { Empty, ProblemAlert } from './parts.tsx';

type Folder = Permissions['folders'][number];
type Allowed = Folder['rules'][number];

export function PermissionsView({ store }: { store: Store }) {
  const [folders, setFolders] = useState<readonly Folder[] | null>(null);
  const [problem, setProblem] = useState('');
  const [withdrawn, setWithdrawn] = useState<Withdrawn | null>(null);
  const load = () =>
    store.api
      .get<Permissions>('/api/permissions')
      .then((answer) => setFolders(answer.folders))
      .catch((error) => setProblem(errorWords(error)));
  useEffect(() => void load(), []);
  const withdraw = async ({ workspace }: Folder, { rule, allows }: Allowed) => {
    try {
      const body = { workspace, rule };
      const { holders } = await store.api.post<Forgotten>('/api/permissions/forget', body);
      setWithdrawn({ allows, holders });
      setProblem('');
    } catch (error) {
      setProblem(errorWords(error));
    }
    await load();
  };
  return (
    <div class="health">
      <h1>Permissions</h1>
      <p class="dim">
        What was allowed “always here” holds for every later run and conversation in that folder.
      </p>
      <ProblemAlert words={problem} />
      {withdrawn !== null && <WithdrawnRule {...withdrawn} />}
      {folders?.length === 0 && (
        <Empty title="Nothing is allowed always.">
          <p>Each question offers it; what you allow so stands here, to be taken back.</p>
        </Empty>
      )}
      {folders?.map((folder) => (
        <section key={folder.workspace} class="card">
          <h2 class="path">{folder.path}</h2>
          <ul class="list">
            {folder.rules.map((allowed) => (
              <AllowedRow
                key={allowed.rule}
                {...{ store, allowed }}
                withdraw={() => withdraw(folder, allowed)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface RowProps {
  readonly store: Store;
  readonly allowed: Allowed;
  readonly withdraw: () => Promise<void>;
}

function AllowedRow({ store, allowed, withdraw }: RowProps) {
  const [isAsking, setAsking] = useState(false);
  const { rule, allows, at, door, run } = allowed;
  const givingRun = store.runs.value.find(({ id }) => id === run);
  return (
    <li class="allowed">
      <div>
        <strong>{withHiddenShown(allows)}</strong>
        <p class="dim">
          <code>{withHiddenShown(rule)}</code> · {ago(at, store.browser.now())}{' '}
          {whoAnswered({ door })}
          {givingRun && (
            <>
              , in <a href={`#/run/${givingRun.id}`}>run #{givingRun.number}</a>
            </>
          )}
        </p>
      </div>
      {store.may('answer') && (
        <button
          type="button"
          class="small"
          disabled={isAsking}
          aria-label={`Take back: ${allows}`}
          onClick={() => {
            setAsking(true);
            void withdraw().then(() => setAsking(false));
          }}
        >
          Take back
        </button>
      )}
    </li>
  );
}

interface Withdrawn extends Pick<Forgotten, 'holders'> {
  readonly allows: string;
}

/**
 * Says that a rule was withdrawn, and names the work that still has it, because it read or recorded the rule
 * before.
 */
const WithdrawnRule = ({ allows, holders }: Withdrawn) => (
  <section class="card" role="status">
    <p>
      <strong>Taken back: {withHiddenShown(allows)}.</strong> Whatever begins here from now on asks
      again.
    </p>
    {holders.length > 0 && (
      <>
        <p>{plural(holders.length, 'piece')} of work may hold it still:</p>
        <ul>
          {holders.map(({ kind, id, number, isGiver }) => (
            <li key={id}>
              <a href={`#/${kind === 'run' ? 'run' : 'talk'}/${id}`}>
                {kind === 'run' ? 'run' : 'conversation'} {number === null ? id : `#${number}`}
              </a>
              {isGiver
                ? ', where it was allowed: to its end, also after a resume'
                : ', until it is paused or ends'}
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
);
