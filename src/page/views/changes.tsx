/** The changed files of a run, each with its diff and a button to undo it. */
import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Diff, FileDiff } from '../../server/api/run-schemas.ts';
import { byFolder } from '../../shown/folders.ts';
import { withHiddenShown } from '../fold/visible.ts';
import { plural } from '../fold/words.ts';
import type { WatchedWork } from '../fold/work.ts';
import type { Store } from '../store.ts';
import { DiffView } from './diff.tsx';
import { Away, CopyButton, isScreen, ProblemAlert, useFetched } from './parts.tsx';
import { UndoDialog } from './undo-dialog.tsx';

interface Props {
  readonly store: Store;
  readonly work: WatchedWork;
  readonly base: string;
  readonly isWorking: boolean;
  /** True if the journal is damaged. */
  readonly isUnknown?: boolean;
  /** Called after an undo. */
  readonly reload: () => void;
}

export function ChangesSection({ store, work, base, isWorking, isUnknown = false, reload }: Props) {
  const [undoing, setUndoing] = useState<string | null>(null);
  const isAway = useContext(Away);
  const isWide = isScreen('(min-width: 1800px)');
  // Without any action there is no diff to fetch.
  const hasBegun = work.actions > 0 || work.entries.length > 1;
  const { answer, problem } = useFetched(
    () => (hasBegun ? store.api.get<Diff>(`${base}/diff`) : null),
    [base, Object.keys(work.files).length, work.actions, isWorking ? 0 : work.seq],
  );
  if (problem !== '') return <ProblemAlert words={problem} />;
  if (answer === null)
    return <p class="dim">{isUnknown ? 'The damaged record does not say.' : 'Nothing yet.'}</p>;
  const { files } = answer;
  const undone = new Set(work.putBack).size;
  const { named, folders } = listed(files);
  if (files.length === 0 && undone > 0)
    return <p class="dim">Its changes in {plural(undone, 'file')} were undone.</p>;
  if (files.length === 0) return <p class="dim">It changed no file.</p>;
  const view = (file: FileDiff, isOpen: boolean) => (
    <FileView
      key={file.path}
      {...{ store, file, base, isOpen }}
      undo={isWorking || isAway || !store.may('work') ? null : () => setUndoing(file.path)}
    />
  );
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
      {named.map((file, at) => view(file, isWide && at < OPEN))}
      {folders.map((folder) => (
        <FolderView key={`${folder.status} ${folder.name}`} {...{ folder, view }} />
      ))}
      {undoing !== null && (
        <UndoDialog
          {...{ store, base }}
          title={undoing === '' ? 'Put its file changes back' : `Undo ${withHiddenShown(undoing)}`}
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

interface Folder {
  readonly name: string;
  readonly status: FileDiff['status'];
  readonly files: readonly FileDiff[];
}

/** The files as a terminal lists them, each kind of change by itself. */
function listed(files: readonly FileDiff[]) {
  const isByCommand = (file: FileDiff): boolean => file.isByCommand;
  const folders = (Object.keys(WORDS) as FileDiff['status'][]).flatMap((status): Folder[] => {
    const all = byFolder(
      files.filter((file) => file.status === status),
      isByCommand,
    );
    return [...all.folders].map(([name, files]) => ({ name, status, files }));
  });
  const inside = new Set(folders.flatMap((folder) => folder.files));
  return { named: files.filter((file) => !inside.has(file)), folders };
}

interface FolderProps {
  readonly folder: Folder;
  readonly view: (file: FileDiff, isOpen: boolean) => ComponentChildren;
}

/** The files that commands changed in one folder, such as those of a build. */
function FolderView({ folder: { name, status, files }, view }: FolderProps) {
  const [isShown, setShown] = useState(false);
  return (
    <details class="entry file" onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <span class="entry-said">
          <code class="path">{withHiddenShown(name)}/</code>
        </span>
        <span class="entry-sum">
          <span>{plural(files.length, 'file')}</span>
          <span class="file-status">{WORDS[status]} by a command</span>
        </span>
      </summary>
      {isShown && <div class="call">{files.map((file) => view(file, false))}</div>}
    </details>
  );
}

interface FileProps {
  readonly store: Store;
  readonly file: FileDiff;
  readonly base: string;
  readonly isOpen: boolean;
  readonly undo: (() => void) | null;
}

function FileView({ store, file, base, isOpen, undo }: FileProps) {
  const [isShown, setShown] = useState(isOpen);
  const isFetched = isShown && file.problem === '' && file.patch === undefined;
  const path = `${base}/diff?path=${encodeURIComponent(file.path)}`;
  // Each new list may mean another change, even with the same counts.
  const { answer, problem: refused } = useFetched(
    () => (isFetched ? store.api.get<Diff>(path) : null),
    [file, isShown],
  );
  const problem = file.problem || refused;
  const patch = file.patch ?? (answer && (answer.files[0]?.patch ?? ''));
  return (
    <details
      class="entry file"
      open={isOpen}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <span class="entry-said">
          <code class="path">{withHiddenShown(file.path)}</code>
        </span>
        <span class="entry-sum">
          <span class="file-status">{WORDS[file.status]}</span>
          {file.isChangedSince && <span class="tone-warn">changed since</span>}
          {file.added > 0 && <span class="plus">+{file.added}</span>}
          {file.removed > 0 && <span class="minus">−{file.removed}</span>}
        </span>
      </summary>
      <ProblemAlert words={problem} />
      {file.isBinary && <p class="dim">This is not a text file.</p>}
      {patch === null && problem === '' && <p class="dim">Reading the change …</p>}
      {patch !== null && !file.isBinary && (
        <DiffView patch={patch} label={`Change of ${file.path}`} />
      )}
      <div class="answers">
        {patch && <CopyButton text={patch} label="Copy as patch" />}
        {undo && (
          <button type="button" class="small" onClick={undo}>
            Undo this file…
          </button>
        )}
      </div>
    </details>
  );
}
