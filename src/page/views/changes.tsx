/** The changed files of a run, each with its diff and a button to undo it. */
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Diff, FileDiff } from '../../server/api/run-schemas.ts';
import { visible } from '../fold/visible.ts';
import { plural } from '../fold/words.ts';
import type { Work } from '../fold/work.ts';
import { type Store, wordsOf } from '../store.ts';
import { DiffView } from './diff.tsx';
import { Away, Copy, isScreen, Problem } from './parts.tsx';
import { UndoDialog } from './undo-dialog.tsx';

interface Props {
  readonly store: Store;
  readonly work: Work;
  readonly base: string;
  readonly isWorking: boolean;
  /** True if the journal is damaged. */
  readonly isUnknown?: boolean;
  /** Called after an undo. */
  readonly reload: () => void;
}

export function Changes({ store, work, base, isWorking, isUnknown = false, reload }: Props) {
  const [files, setFiles] = useState<readonly FileDiff[] | null>(null);
  const [problem, setProblem] = useState('');
  const [undoing, setUndoing] = useState<string | null>(null);
  const isAway = useContext(Away);
  const isWide = isScreen('(min-width: 1800px)');
  useEffect(() => {
    // Without any action there is no diff to fetch.
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
  if (files === null)
    return <p class="dim">{isUnknown ? 'The damaged record does not say.' : 'Nothing yet.'}</p>;
  const undone = new Set(work.putBack).size;
  if (files.length === 0 && undone > 0)
    return <p class="dim">Its changes in {plural(undone, 'file')} were undone.</p>;
  if (files.length === 0) return <p class="dim">It changed no file.</p>;
  return (
    <div class="changes">
      <div class="row-ends">
        <p class="dim">{plural(files.length, 'file')} changed</p>
        {store.may('work') && !isWorking && (
          <button type="button" class="small" disabled={isAway} onClick={() => setUndoing('')}>
            Undo all…
          </button>
        )}
      </div>
      {files.map((file, at) => (
        <FileView
          key={file.path}
          {...{ store, file, base }}
          isOpen={isWide && at < OPEN}
          undo={isWorking || isAway || !store.may('work') ? null : () => setUndoing(file.path)}
        />
      ))}
      {undoing !== null && (
        <UndoDialog
          {...{ store, base }}
          title={undoing === '' ? 'Put its file changes back' : `Undo ${visible(undoing)}`}
          body={undoing === '' ? {} : { path: undoing }}
          close={() => {
            setUndoing(null);
            reload();
          }}
        />
      )}
    </div>
  );
}

/** Files whose diffs are open from the start on a wide screen. */
const OPEN = 5;

const WORDS = { added: 'new', changed: 'changed', removed: 'removed' } as const;

interface FileProps {
  readonly store: Store;
  readonly file: FileDiff;
  readonly base: string;
  readonly isOpen: boolean;
  readonly undo: (() => void) | null;
}

function FileView({ store, file, base, isOpen, undo }: FileProps) {
  const [isShown, setShown] = useState(isOpen);
  const [patch, setPatch] = useState<string | null>(file.patch ?? null);
  const [refused, setRefused] = useState('');
  const problem = file.problem || refused;
  // Each new list may mean another change, even with the same counts.
  useEffect(() => {
    if (!isShown || file.problem !== '' || file.patch !== undefined) return;
    let isLate = false;
    const show = (read: string | null, why: string): void => {
      if (isLate) return;
      setPatch(read);
      setRefused(why);
    };
    store.api.get<Diff>(`${base}/diff?path=${encodeURIComponent(file.path)}`).then(
      ({ files: [one] }) => show(one?.patch ?? '', ''),
      (error) => show(null, wordsOf(error)),
    );
    return () => {
      isLate = true;
    };
  }, [file, isShown]);
  return (
    <details
      class="entry file"
      open={isOpen}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <span class="entry-said">
          <code class="path">{visible(file.path)}</code>
        </span>
        <span class="entry-sum">
          <span class="file-status">{WORDS[file.status]}</span>
          {file.isChangedSince && <span class="tone-warn">changed since</span>}
          {file.added > 0 && <span class="plus">+{file.added}</span>}
          {file.removed > 0 && <span class="minus">−{file.removed}</span>}
        </span>
      </summary>
      <Problem words={problem} />
      {file.isBinary && <p class="dim">This is not a text file.</p>}
      {patch === null && problem === '' && <p class="dim">Reading the change …</p>}
      {patch !== null && !file.isBinary && (
        <DiffView patch={patch} label={`Change of ${file.path}`} />
      )}
      <div class="answers">
        {patch && <Copy text={patch} label="Copy as patch" />}
        {undo && (
          <button type="button" class="small" onClick={undo}>
            Undo this file…
          </button>
        )}
      </div>
    </details>
  );
}
