/**
 * Puts files back from the copies outside of the workspace, where the state of the run is lost.
 * 1. A file that is missing, or holds what the run left there, goes back to what it held before.
 * 2. What somebody changed since stays; what it held before is laid beside it.
 * 3. Killed anywhere, calling it again does what is left. There is no journal to write to.
 */
import { errorCode } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { KeptLine } from '../schema/kept-copy.ts';
import {
  hashIfReadable,
  infoOf,
  isRefusal,
  missingAbove,
  putFile,
  removeFile,
  sha256,
} from '../workspace/files.ts';
import type { KeptFound } from '../workspace/kept/place.ts';
import { keptContents, readIndex } from '../workspace/kept/place.ts';
import { contentReader, manifestIfGood } from '../workspace/packs.ts';
import { placeOf } from './folders.ts';

interface Place {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
}

/** What is done with one file, seen from what it holds now. */
export type KeptStep =
  | { readonly do: 'nothing'; readonly path: string }
  | { readonly do: 'put_back'; readonly path: string; readonly content: KeptContent }
  | { readonly do: 'remove'; readonly path: string }
  | {
      readonly do: 'lay_beside';
      readonly path: string;
      readonly content: KeptContent;
      /** Where it is laid. */
      readonly beside: string;
    }
  | { readonly do: 'leave'; readonly path: string; readonly why: string };

interface KeptContent {
  readonly hash: string;
  readonly mode: number | undefined;
}

/** A file as far back as what was done to it hangs together. */
interface Chain {
  readonly before: string | null;
  readonly mode: number | undefined;
  readonly afters: Set<string | null>;
  /** `undefined`: nobody knows. */
  last: string | null | undefined;
}

/** Paths in their order. */
export function keptSteps(found: KeptFound, place: Place): readonly KeptStep[] {
  const { lines } = readIndex(place.fs, found.place);
  const read = readerOf(found, lines, place);
  return [...chainsOf(lines, read)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, chain]) => stepFor(path, chain, { ...place, found, read }));
}

type Read = (hash: string) => Uint8Array | null;

function readerOf(found: KeptFound, lines: readonly KeptLine[], { fs }: Place): Read {
  const plain = keptContents(fs, found.place, lines);
  const orThrow = (hash: string): Uint8Array => {
    const bytes = plain(hash);
    if (bytes === null) throw Object.assign(new Error(`${hash} is gone`), { code: 'ENOENT' });
    return bytes;
  };
  const manifests = lines.flatMap((line) => (line.type === 'files_kept' ? [line.manifest] : []));
  const read = contentReader(manifests, orThrow);
  return (hash) => {
    try {
      return read(hash);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      return null;
    }
  };
}

function chainsOf(lines: readonly KeptLine[], read: Read): ReadonlyMap<string, Chain> {
  const chains = new Map<string, Chain>();
  const open = new Set<string>();
  let manifest: string | null = null;
  for (const line of lines) {
    switch (line.type) {
      case 'command_began':
        open.add(line.id);
        break;
      case 'command_ended':
        open.delete(line.id);
        break;
      case 'files_kept':
        manifest = line.manifest;
        break;
      case 'change': {
        const { path, before, after, mode } = line;
        const known = chains.get(path);
        const chain =
          known?.last === before ? known : { before, mode, afters: new Set<string | null>() };
        if (after !== undefined) chain.afters.add(after);
        chains.set(path, { ...chain, last: after });
      }
    }
  }
  if (open.size > 0 && manifest !== null) addUnseen(chains, manifest, read);
  return chains;
}

/** A command whose end is not known: each file that was kept may be of its doing. */
function addUnseen(chains: Map<string, Chain>, blob: string, read: Read): void {
  const manifest = manifestIfGood(blob, (hash) => {
    const bytes = read(hash);
    if (bytes === null) throw Object.assign(new Error(`${hash} is gone`), { code: 'ENOENT' });
    return bytes;
  });
  for (const { path, hash, mode } of manifest?.files ?? [])
    if (!chains.has(path))
      chains.set(path, { before: hash, mode, afters: new Set(), last: undefined });
}

interface Looking extends Place {
  readonly found: KeptFound;
  readonly read: Read;
}

function stepFor(path: string, { before, mode, afters }: Chain, at: Looking): KeptStep {
  const absolute = placeOf(path, at);
  if (absolute === null) return { do: 'leave', path, why: 'its folder leads somewhere else now' };
  const current = hashIfReadable(at.fs, absolute);
  if (current === 'unreadable')
    return { do: 'leave', path, why: 'the system does not let it be read' };
  if (current === null && infoOf(at.fs, absolute) !== null)
    return { do: 'leave', path, why: 'it is not a file any more' };
  if (current === before) return { do: 'nothing', path };
  if (before === null)
    return afters.has(current)
      ? { do: 'remove', path }
      : { do: 'leave', path, why: 'it was changed since' };
  if (at.read(before) === null)
    return { do: 'leave', path, why: 'what it held before is not kept any more' };
  const content = { hash: before, mode };
  if (current === null || afters.has(current)) return { do: 'put_back', path, content };
  const beside = freeName(`${path}.before-${at.found.about.kind}-${nameOf(at.found)}`, before, at);
  return beside.isThere
    ? { do: 'leave', path, why: `what it held before is in ${beside.name}` }
    : { do: 'lay_beside', path, content, beside: beside.name };
}

const nameOf = ({ about }: KeptFound): string =>
  about.number === null ? about.id : String(about.number);

/** A file that holds the very content is the one that was laid there before. */
function freeName(
  wanted: string,
  hash: string,
  { fs, workspace }: Place,
): { readonly name: string; readonly isThere: boolean } {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}.${count}`;
    const absolute = placeOf(name, { fs, workspace });
    const current = absolute === null ? 'unreadable' : hashIfReadable(fs, absolute);
    if (current === hash) return { name, isThere: true };
    if (absolute !== null && current === null && infoOf(fs, absolute) === null)
      return { name, isThere: false };
  }
}

export interface KeptRestored {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly beside: readonly { readonly path: string; readonly beside: string }[];
  readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
}

/** Durable when it returns. Throws E_DISK_FULL, E_IO; called again it goes on. */
export function restoreKept(found: KeptFound, place: Place, isMeant: (path: string) => boolean) {
  const { lines } = readIndex(place.fs, found.place);
  const read = readerOf(found, lines, place);
  const done = {
    restored: [] as string[],
    removed: [] as string[],
    beside: [] as { path: string; beside: string }[],
    leftAlone: [] as { path: string; why: string }[],
  };
  for (const step of keptSteps(found, place)) {
    if (!isMeant(step.path) || step.do === 'nothing') continue;
    const why = step.do === 'leave' ? step.why : carryOut(step, read, place);
    if (why !== null) done.leftAlone.push({ path: step.path, why });
    else if (step.do === 'put_back') done.restored.push(step.path);
    else if (step.do === 'remove') done.removed.push(step.path);
    else if (step.do === 'lay_beside') done.beside.push({ path: step.path, beside: step.beside });
  }
  return done satisfies KeptRestored;
}

/** Why it could not be done, or `null`. */
function carryOut(
  step: Exclude<KeptStep, { do: 'nothing' | 'leave' }>,
  read: Read,
  place: Place,
): string | null {
  const { fs, workspace } = place;
  const absolute = placeOf(step.do === 'lay_beside' ? step.beside : step.path, place);
  if (absolute === null) return 'its folder leads somewhere else now';
  if (step.do === 'remove') return removed(fs, absolute);
  const { hash, mode } = step.content;
  const bytes = read(hash);
  if (bytes === null || sha256(bytes) !== hash) return 'what it held before is not kept any more';
  const createdDirs = missingAbove(fs, workspace, absolute);
  const code = putFile(fs, {
    absolute,
    bytes,
    createdDirs,
    ...(mode === undefined ? {} : { mode }),
  });
  return code === null ? null : `the system does not let it be written (${code})`;
}

function removed(fs: FileSystem, absolute: string): string | null {
  try {
    removeFile(fs, absolute);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `the system does not let it be removed (${errorCode(error)})`;
  }
}
