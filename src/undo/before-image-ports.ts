/** Keeps before-images while commands run, in the journal of one run. */

import { layoutOf } from '../journal/layout.ts';
import { PROGRAMS } from '../languages/commands/programs.ts';
import { isCache } from '../languages/languages.ts';
import { breather, type Clock } from '../lib/clock.ts';
import { readFileIfPresent, replaceFile } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import type { Emit } from '../schema/events/events.ts';
import type { FilesChanged, FilesKept } from '../schema/journal/before-images.ts';
import type { RunState } from '../schema/state.ts';
import {
  BeforeImages,
  type BeforeImagesPorts,
  type RunMemory,
} from '../workspace/before-images/before-images.ts';

type Memory = Pick<RunState, 'kept' | 'files' | 'commandChanges' | 'chat'>;

interface BeforeImagePorts {
  readonly context: {
    readonly state: Memory;
    readonly journal: { readonly blobs: BeforeImagesPorts['blobs'] & { sync(): void } };
    record(record: FilesKept | FilesChanged): unknown;
  };
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly clock: Pick<Clock, 'now' | 'breathe'>;
  readonly emit: Emit;
  readonly limits?: BeforeImagesPorts['limits'];
  /** The file that names the newest manifest for the next run; `null`: none. Left out: below the workspace. */
  readonly pointer?: string | null;
}

export function beforeImagesOf({
  context,
  workspace,
  fs,
  clock,
  emit,
  pointer = layoutOf(workspace).kept,
  ...more
}: BeforeImagePorts): BeforeImages {
  const { blobs } = context.journal;
  // Environments that languages install into are in the workspace, but nobody wrote their files by hand.
  const installed = new Set(PROGRAMS.programFolders(fs.platform).map(({ root }) => root));
  return new BeforeImages({
    fs,
    workspace,
    blobs,
    ...more,
    isCache: (name) => isCache(name) || installed.has(name),
    now: () => clock.now(),
    breathe: breather(clock),
    run: memoryOf(() => context.state, pointer, fs),
    record: (record) => {
      // The blobs of a record must exist when its line is read back.
      blobs.sync();
      context.record(record);
    },
    report: (text) => emit({ type: 'notice', level: 'warning', text }),
  });
}

/** @param pointer a file that names the newest manifest for the next run */
function memoryOf(state: () => Memory, pointer: string | null, fs: FileSystem): RunMemory {
  return {
    manifest: () => state().kept,
    formerManifest: () => (pointer === null ? null : readPointer(fs, pointer)),
    rememberManifest: (blob) => {
      if (pointer === null) return;
      // Without it the next run reads its files again.
      orNull(() => replaceFile(fs, pointer, Buffer.from(`${blob}\n`)));
    },
    isOwn: (path, hash) => {
      const { files, commandChanges, chat } = state();
      // Each message of a conversation is undone by itself, which brings back what an earlier message left.
      if (chat !== undefined) return false;
      const change = commandChanges.files[path];
      const isFile = files[path]?.isOwn === true && files[path]?.hash === hash;
      return isFile || (change !== undefined && !change.isUnseen && change.after === hash);
    },
    isKnown: (path, hash) => state().files[path]?.hash === hash,
    later: () => laterContents(state()),
  };
}

function laterContents({ files, commandChanges }: Memory): [string, string | null][] {
  const written = Object.entries(files).filter(([, file]) => file.written);
  const changed = Object.entries(commandChanges.files);
  return [
    ...written.map(([path, { hash }]): [string, string | null] => [path, hash]),
    ...changed.map(([path, { after }]): [string, string | null] => [path, after]),
  ];
}

const readPointer = (fs: FileSystem, pointer: string): string | null =>
  orNull(() => readFileIfPresent(fs, pointer)?.toString('utf8').trim()) ?? null;
