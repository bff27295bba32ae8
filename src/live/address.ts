/**
 * Where a live channel listens, and who can find it.
 *
 * 1. An address is random, and no part of it comes from a workspace. Only a file with mode 600 in the user's
 *    data folder contains it.
 * 2. The next owner removes the files of a killed owner, and nothing else.
 */
import * as z from 'zod';
import { type LockHolder, livenessOf } from '../journal/lock/identity.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { discard, ensureDirectory, replaceFile } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { fitting, jsonIn } from '../lib/json-value.ts';
import { orNull } from '../lib/or-null.ts';
import { ProcessOwner } from '../schema/journal/before-image-copies.ts';
import { readBytes } from '../workspace/files.ts';
import { type LivePlace, socketFolder } from './socket-folder.ts';

/** In the data folder. */
const NOTES = 'live';
const MARK_BYTES = 16;
const PIPE = '\\\\.\\pipe\\tardigrade-';
const SOCKET_NAME = /^[0-9a-f]{32}\.sock$/;
const NOTE_NAME = /^[0-9a-f]{32}\.json$/;

const Note = z.object({
  run: z.string(),
  /** Absolute real path. */
  workspace: z.string(),
  ...ProcessOwner.shape,
  /** `null`: the owner could not listen. */
  address: z.string().nullable(),
  /** Why not; '' if it listens. */
  why: z.string(),
});

/** Who works on what, and where it listens. */
export type LiveNote = z.infer<typeof Note>;

/** A random address, or the reason why there can be none, as a whole sentence. */
export function newAddress(
  place: LivePlace,
): { readonly address: string } | { readonly why: string } {
  const { fs, random } = place;
  const mark = Buffer.from(random(MARK_BYTES)).toString('hex');
  if (fs.platform === 'win32') return { address: PIPE + mark };
  const found = socketFolder(place);
  if ('why' in found) return found;
  return { address: pathsOf(fs.platform).join(found.folder, `${mark}.sock`) };
}

/** Stores the note for this user's other programs. @returns what removes it. Throws what the disk throws. */
export function keepNote(
  place: LivePlace,
  noted: Pick<LiveNote, 'run' | 'workspace' | 'since' | 'address' | 'why'>,
): () => void {
  const { fs, identity, random } = place;
  const { host, boot, pidNamespace, pid } = identity;
  // Querying it takes a second on win32.
  const startTime = fs.platform === 'win32' ? '' : (identity.startTimeOf(pid) ?? '');
  const note: LiveNote = { ...noted, host, boot, pidNamespace, pid, startTime };
  const folder = notesOf(place);
  ensureDirectory(fs, folder);
  const name = `${Buffer.from(random(MARK_BYTES)).toString('hex')}.json`;
  const path = pathsOf(fs.platform).join(folder, name);
  replaceFile(fs, path, Buffer.from(`${JSON.stringify(note)}\n`), { isSynced: false });
  return () => discard(fs, path);
}

/**
 * Notes of live owners, and of owners that cannot be checked from here.
 * @param known notes by path, for repeated calls: the content of a note does not change
 */
export const notesIn = (
  place: Pick<LivePlace, 'fs' | 'dataFolder' | 'identity'>,
  known?: Map<string, LiveNote>,
): readonly LiveNote[] =>
  filesIn(place, known)
    .flatMap(({ note }) => note ?? [])
    .filter((note) => livenessOf(note satisfies LockHolder, place.identity) !== 'dead');

/** Invariant 2. Never throws. */
export function sweepDead(place: Pick<LivePlace, 'fs' | 'dataFolder' | 'identity'>): void {
  const { fs, identity } = place;
  for (const { path, note } of filesIn(place)) {
    if (note === null || livenessOf(note, identity) !== 'dead') continue;
    if (note.address !== null && isSocket(fs, note.address)) discard(fs, note.address);
    discard(fs, path);
  }
}

/** Whether the file is a socket of ours: no other file is ever removed. */
function isSocket(fs: FileSystem, address: string): boolean {
  const { isAbsolute, basename } = pathsOf(fs.platform);
  if (!isAbsolute(address) || !SOCKET_NAME.test(basename(address))) return false;
  return orNull(() => fs.lstat(address))?.kind === 'other';
}

const notesOf = ({ fs, dataFolder }: Pick<LivePlace, 'fs' | 'dataFolder'>): string =>
  pathsOf(fs.platform).join(dataFolder, NOTES);

const MAX_NOTE = 65_536;

function filesIn(place: Pick<LivePlace, 'fs' | 'dataFolder'>, known = new Map<string, LiveNote>()) {
  const { fs } = place;
  const folder = notesOf(place);
  // Without a readable folder nobody can be found.
  const paths = (orNull(() => fs.readdir(folder)) ?? [])
    .filter((name) => NOTE_NAME.test(name))
    .map((name) => pathsOf(fs.platform).join(folder, name));
  const files = paths.map((path) => ({ path, note: known.get(path) ?? noteIn(fs, path) }));
  known.clear();
  for (const { path, note } of files) if (note !== null) known.set(path, note);
  return files;
}

function noteIn(fs: FileSystem, path: string): LiveNote | null {
  const bytes = orNull(() => readBytes(fs, path, MAX_NOTE));
  return fitting(jsonIn(bytes?.toString('utf8') ?? ''), Note);
}
