// Which files a message shows, so that nothing is replaced whole of which only a part is in view; pure.

import type { MessageRef, RoundState, RunState } from '../../../schema/state.ts';
import type { KnownFile } from '../../../schema/state-parts/run-facts.ts';
import type { ShownFile } from '../../../schema/state-parts/shown-file.ts';
import { type Finished, writesFile } from '../work/finished.ts';
import { originalAfterLook } from './known-files.ts';

type Shows = Pick<MessageRef, 'shows'>;
type ConversationFiles = Pick<RunState, 'conversation' | 'files' | 'intents'>;

export const showingFiles = (shows: readonly ShownFile[] | undefined): Shows =>
  shows === undefined || shows.length === 0 ? {} : { shows };

/** Whole files that stand in the result of an action. */
export const filesShownByResult = ({ facts, hashes }: Finished): Shows =>
  showingFiles(
    facts.shows?.flatMap((path) => {
      const hash = hashes[path];
      return typeof hash === 'string' ? [{ path, hash }] : [];
    }),
  );

/** What a question shows the run has seen. */
export function seenIn(
  files: RunState['files'],
  shows: readonly ShownFile[] = [],
): RunState['files'] {
  const seen = shows.map(({ path, hash }): [string, KnownFile] => {
    const known = files[path];
    const {
      written = false,
      withheld = null,
      problems = [],
      defines = [],
      prompts = [],
    } = known ?? {};
    const given = originalAfterLook(known, hash);
    const original = known?.original;
    return [
      path,
      {
        ...{ hash, written, given, withheld, problems, defines, prompts },
        ...(original === undefined ? {} : { original }),
      },
    ];
  });
  return seen.length === 0 ? files : { ...files, ...Object.fromEntries(seen) };
}

/**
 * The answer that a file was written by holds it whole; one that edited it holds the change. A call
 * of the engine's own stands in no answer: its round has no turn.
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
