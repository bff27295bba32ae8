// Tracks which files a message shows, so that a file of which only a part is visible is not replaced whole. Pure.

import type { MessageRef, RoundState, RunState } from '../../../schema/state.ts';
import type { KnownFile } from '../../../schema/state-parts/run-facts.ts';
import type { ShownFile } from '../../../schema/state-parts/shown-file.ts';
import { type Finished, writesFile } from '../work/finished.ts';
import { baselineAfterRead, isOwn } from './known-files.ts';

type Shows = Pick<MessageRef, 'shows'>;
type ConversationFiles = Pick<RunState, 'conversation' | 'files' | 'intents'>;

export const showingFiles = (shows: readonly ShownFile[] | undefined): Shows =>
  shows === undefined || shows.length === 0 ? {} : { shows };

/** Files that the result of an action contains in full. */
export const filesShownByResult = ({ facts, hashes }: Finished): Shows =>
  showingFiles(
    facts.shows?.flatMap((path) => {
      const hash = hashes[path];
      return typeof hash === 'string' ? [{ path, hash }] : [];
    }),
  );

/** The run has seen the files that a question shows. */
export function seenIn(
  files: RunState['files'],
  shows: readonly ShownFile[] = [],
): RunState['files'] {
  const seen = shows.map(({ path, hash }): [string, KnownFile] => {
    const known = files[path];
    const {
      written = false,
      rejected = null,
      problems = [],
      defines = [],
      prompts = [],
    } = known ?? {};
    const baseline = baselineAfterRead(known, hash);
    const original = known?.original;
    return [
      path,
      {
        hash,
        written,
        baseline,
        rejected,
        problems,
        defines,
        prompts,
        ...(original === undefined ? {} : { original }),
        ...(isOwn(known, hash, false) ? { isOwn: true as const } : {}),
      },
    ];
  });
  return seen.length === 0 ? files : { ...files, ...Object.fromEntries(seen) };
}

/**
 * The answer that wrote a file contains it in full; one that edited it contains the change. The engine's own
 * calls are in no answer: their round has no turn.
 */
export function answersAfter(
  state: ConversationFiles & { readonly round: Pick<RoundState, 'turns'> | null },
  record: Finished,
): RunState['conversation'] {
  const { conversation, round } = state;
  if (!writesFile(record) || record.status !== 'ok' || !round?.turns) return conversation;
  const last = conversation.findLastIndex((ref) => ref.role === 'assistant');
  const answer = conversation[last];
  if (!answer) return conversation;
  const written = Object.entries(record.hashes).flatMap(([path, hash]) =>
    hash === null ? [] : [filesShownByCall(state, record, path, hash)],
  );
  return conversation.with(last, {
    ...answer,
    ...showingFiles([...(answer.shows ?? []), ...written]),
  });
}

function filesShownByCall(
  { files, intents }: ConversationFiles,
  { does, id }: Finished,
  path: string,
  hash: string,
): ShownFile {
  const change = intents[id]?.files.find((one) => one.path === path);
  const isWhole = does === 'writes_whole_files' || (change?.before === null && !change.from);
  const base = isWhole ? null : (files[path]?.hash ?? '');
  return { path, hash, ...(base === null ? {} : { base }) };
}
