/** What it changed, file by file, and the way back. */
import { useEffect, useState } from 'preact/hooks';
import type { Diff, FileDiff } from '../../server/api/run-schemas.ts';
import { plural } from '../fold/words.ts';
import type { Work } from '../fold/work.ts';
import { type Store, wordsOf } from '../store.ts';
import { DiffView } from './diff.tsx';
import { Copy, Dialog, Empty, Problem, useAsk } from './parts.tsx';

interface Props {
  readonly store: Store;
  readonly work: Work;
  readonly base: string;
  readonly isWorking: boolean;
}

export function Changes({ store, work, base, isWorking }: Props) {
  const [files, setFiles] = useState<readonly FileDiff[] | null>(null);
  const [problem, setProblem] = useState('');
  const [undoing, setUndoing] = useState<string | null>(null);
  useEffect(() => {
    // Before anything was done there is nothing to ask for.
    if (work.actions === 0 && work.entries.length < 2) return;
    store.api.get<Diff>(`${base}/diff`).then(
      (diff) => {
        setProblem('');
        setFiles(diff.files);
      },
      (error) => setProblem(wordsOf(error)),
    );
  }, [base, Object.keys(work.files).length, work.actions, isWorking ? 0 : work.seq]);
  if (problem !== '') return <Problem words={problem} />;
  if (files === null) return <p class="dim">Nothing yet.</p>;
  if (files.length === 0) return <Empty title="It changed no file." />;
  return (
    <div class="changes">
      <div class="row-ends">
        <p class="dim">{plural(files.length, 'file')}: before the run, and now</p>
        {!store.isSaved && (
          <button type="button" disabled={isWorking} onClick={() => setUndoing('')}>
            Undo all…
          </button>
        )}
      </div>
      {files.map((file) => (
        <FileView
          key={file.path}
          {...{ store, file, base }}
          undo={isWorking || store.isSaved ? null : () => setUndoing(file.path)}
        />
      ))}
      {undoing !== null && (
        <UndoDialog {...{ store, base }} path={undoing} close={() => setUndoing(null)} />
      )}
    </div>
  );
}

const WORDS = { added: 'new', changed: 'changed', removed: 'removed' } as const;

interface FileProps {
  readonly store: Store;
  readonly file: FileDiff;
  readonly base: string;
  readonly undo: (() => void) | null;
}

function FileView({ store, file, base, undo }: FileProps) {
  const [patch, setPatch] = useState<string | null>(file.patch ?? null);
  const [problem, setProblem] = useState(file.problem);
  const load = () => {
    if (patch !== null || problem !== '') return;
    store.api.get<Diff>(`${base}/diff?path=${encodeURIComponent(file.path)}`).then(
      ({ files: [one] }) => setPatch(one?.patch ?? ''),
      (error) => setProblem(wordsOf(error)),
    );
  };
  return (
    <details class="entry file" onToggle={load}>
      <summary>
        <span class="entry-said">
          <code class="path">{file.path}</code>
        </span>
        <span class="entry-sum">
          <span class="file-status">{WORDS[file.status]}</span>
          {file.isChangedSince && <span class="tone-warn">changed since</span>}
          <span class="plus">+{file.added}</span>
          <span class="minus">−{file.removed}</span>
        </span>
      </summary>
      <Problem words={problem} />
      {file.isBinary && <p class="dim">It is no text.</p>}
      {patch === null && problem === '' && <p class="dim">Reads the change …</p>}
      {patch !== null && !file.isBinary && (
        <DiffView patch={patch} label={`Change of ${file.path}`} />
      )}
      <div class="answers">
        {patch && <Copy text={patch} label="Copy as patch" />}
        {undo && (
          <button type="button" class="quiet" onClick={undo}>
            Undo this file…
          </button>
        )}
      </div>
    </details>
  );
}

/** As the server plans it: a line for each. */
interface UndoPlan {
  readonly files?: readonly string[];
  readonly left?: readonly string[];
  readonly commands?: readonly string[];
}

/** What it would do first, and only then the button that does it. */
function UndoDialog(props: { store: Store; base: string; path: string; close: () => void }) {
  const { store, base, path, close } = props;
  const [plan, setPlan] = useState<UndoPlan | null>(null);
  const [refused, setRefused] = useState('');
  const { isAsking, problem, ask } = useAsk();
  const wish = path === '' ? {} : { path };
  useEffect(() => {
    store.api
      .post<UndoPlan>(`${base}/undo`, { ...wish, dryRun: true })
      .then(setPlan, (error) => setRefused(wordsOf(error)));
  }, []);
  return (
    <Dialog title={path === '' ? 'Undo all that it changed' : `Undo ${path}`} close={close}>
      <Problem words={refused || problem} />
      {plan === null && refused === '' && <p class="dim">Looks what an undo would do …</p>}
      {plan && (
        <>
          <Names title="What goes back" names={plan.files ?? []} />
          <Names title="What is left alone" names={plan.left ?? []} />
          <Names title="Commands that may have done more" names={plan.commands ?? []} />
        </>
      )}
      <div class="answers">
        <button
          type="button"
          class="primary"
          disabled={plan === null || isAsking}
          onClick={() => {
            void ask(() => store.send(`${base}/undo`, wish)).then((isDone) => {
              if (!isDone) return;
              store.said.value = 'Undone.';
              close();
            });
          }}
        >
          Undo
        </button>
        <button type="button" class="quiet" onClick={close}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}

const Names = ({ title, names }: { title: string; names: readonly string[] }) =>
  names.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul class="names">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </>
  );
