/**
 * Keeps what the model has read, so that it need not be read again: a prompt that another prompt displaces,
 * and the start that a prompt has in common with a prompt of an earlier process. Nothing depends on either:
 * anything that cannot be kept or loaded is read anew.
 */

import { createHash } from 'node:crypto';
import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { orNull } from '../../lib/or-null.ts';
import { sharedLength } from '../../lib/shared-length.ts';
import type { Sequence, TokenId } from './engine-api.ts';
import {
  createFolder,
  isPassing,
  type KeptModelState,
  passingFile,
  type StatesPlace,
  WORTH,
  withinBounds,
} from './state-files.ts';

export interface KeptStates {
  /**
   * Keeps the state that this prompt displaces, and loads a kept state of this prompt, if either is worth it.
   */
  prepare(sequence: Sequence, prompt: readonly TokenId[]): Promise<void>;
  /** How many tokens of the prompt to read before `keepStart` is called; 0: it is not to be called. */
  commonStart(prompt: readonly TokenId[]): number;
  /** Keeps the state of the sequence for later processes. */
  keepStart(sequence: Sequence): Promise<void>;
}

export function keptStates(place: StatesPlace): KeptStates {
  const displaced = displacedPrompts(place);
  const starts = commonStarts(place);
  return {
    prepare: (sequence, prompt) =>
      unlessItFails(async () => {
        const { contextTokens } = sequence;
        const held = sharedLength(contextTokens, prompt);
        if (contextTokens.length - held >= WORTH)
          await unlessItFails(() => displaced.keep(sequence));
        const earlier = displaced.of(prompt);
        const [best] = [...earlier, ...starts.of(prompt)]
          .filter(({ shared }) => shared >= held + WORTH)
          .sort((one, other) => other.shared - one.shared);
        if (best !== undefined) await unlessItFails(() => load(sequence, best));
        if (held < WORTH && earlier.every(({ shared }) => shared < WORTH)) starts.note(prompt);
      }),
    commonStart: (prompt) => starts.toKeep(prompt),
    keepStart: (sequence) => unlessItFails(() => starts.keep(sequence)),
  };
}

/** Ignores failures: a full disk, a folder without write permission, a file of another version. */
async function unlessItFails(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // Without the state, the prompt is read instead.
  }
}

async function load(sequence: Sequence, kept: KeptModelState): Promise<void> {
  let isLoaded = false;
  try {
    await sequence.loadStateFromFile(kept.file(), { acceptRisk: true });
    isLoaded = true;
  } finally {
    // The state may have been loaded in part.
    if (!isLoaded) await sequence.clearHistory();
    kept.done(isLoaded);
  }
}

const IN_MEMORY = { states: 4, megabytes: 128 };

interface Displaced {
  readonly tokens: readonly TokenId[];
  readonly state: Buffer;
}

/**
 * Prompts that another prompt displaced: a run asks in more than one conversation, and the context holds one
 * of them. They are kept in memory. They are in a file, which the engine needs, only while they are saved or
 * loaded.
 */
function displacedPrompts(place: StatesPlace) {
  const passing = passingFile(place);
  const removeFile = (): void => rmSync(passing, { force: true });
  let all: readonly Displaced[] = [];
  return {
    of: (prompt: readonly TokenId[]): readonly KeptModelState[] =>
      all.map((one) => ({
        shared: sharedLength(one.tokens, prompt),
        file: () => {
          writeFileSync(passing, one.state, { mode: 0o600 });
          return passing;
        },
        done: () => {
          removeFile();
          all = all.filter((other) => other !== one);
        },
      })),
    keep: async (sequence: Sequence): Promise<void> => {
      createFolder(place);
      const tokens = [...sequence.contextTokens];
      try {
        // The engine writes into the file that is there, which is for this user alone.
        writeFileSync(passing, '', { mode: 0o600 });
        await sequence.saveStateToFile(passing);
        const state = readFileSync(passing);
        const isContinued = (one: Displaced): boolean =>
          sharedLength(one.tokens, tokens) === one.tokens.length;
        const others = all.filter((one) => !isContinued(one));
        all = withinBounds([{ tokens, state }, ...others], IN_MEMORY, (one) => one.state.length);
      } finally {
        removeFile();
      }
    },
  };
}

/** The number of tokens from one hash of a prompt to the next. Each hash covers all tokens before it. */
const BLOCK = 16;
const MAX_BLOCKS = 96;
const MAX_PROMPTS = 24;
/** Room for three questions, each with the notes of some languages. */
const IN_FILES = { states: 12, megabytes: 256 };
const INDEX = 'prompts.json';
/** The name of a state: how many tokens it has, and their hash. */
const STATE = /^(\d+)-(\w+)\.state$/;

/**
 * The starts that prompts of several processes have in common, in files: instructions and examples. 1. The
 * index knows earlier prompts by hashes alone. 2. If a prompt has several starts in common with others, the
 * shortest is kept: it tells least about a goal. 3. A state at which the engine crashes is loaded once.
 */
function commonStarts(place: StatesPlace) {
  const { folder } = place;
  removeLeftovers(folder);
  const earlier = readIndex(folder);
  return {
    of: (prompt: readonly TokenId[]): readonly KeptModelState[] => keptOf(prompt, place),
    /** Returns 0 if nothing is in common, or if the start is kept already. */
    toKeep: (prompt: readonly TokenId[]): number => toKeep(hashesOf(prompt), earlier, folder),
    keep: (sequence: Sequence): Promise<void> => keep(sequence, place),
    note: (prompt: readonly TokenId[]): void => note(hashesOf(prompt), place),
  };
}

function keptOf(prompt: readonly TokenId[], place: StatesPlace): readonly KeptModelState[] {
  const { folder, now } = place;
  const passing = passingFile(place);
  const hashes = hashesOf(prompt);
  return statesIn(folder)
    .filter(({ tokens, hash }) => hashes[tokens / BLOCK - 1] === hash)
    .map(({ tokens, path }) => ({
      shared: tokens,
      file: () => {
        renameSync(path, passing);
        return passing;
      },
      done: (isLoaded) => {
        if (isLoaded) {
          // The state that was used last stays longest.
          utimesSync(passing, now() / 1000, now() / 1000);
          renameSync(passing, path);
        } else rmSync(passing, { force: true });
      },
    }));
}

function toKeep(hashes: Hashes, earlier: readonly Hashes[], folder: string): number {
  // A repeated goal, or a continued conversation, does not show where the common start ends.
  const common = earlier
    .filter((known) => sharedLength(known, hashes) < known.length)
    .map((known) => BLOCK * sharedLength(known, hashes))
    .filter((tokens) => tokens >= WORTH);
  if (common.length === 0) return 0;
  const least = Math.min(...common);
  const hash = hashes[least / BLOCK - 1];
  return statesIn(folder).some((one) => one.hash === hash) ? 0 : least;
}

async function keep(sequence: Sequence, place: StatesPlace): Promise<void> {
  createFolder(place);
  const { folder } = place;
  const passing = passingFile(place);
  const { contextTokens } = sequence;
  const { length } = contextTokens;
  const hash = hashesOf(contextTokens)[length / BLOCK - 1];
  try {
    // The engine writes into the file that is there, which is for this user alone.
    writeFileSync(passing, '', { mode: 0o600 });
    await sequence.saveStateToFile(passing);
    renameSync(passing, join(folder, `${length}-${hash}.state`));
  } finally {
    rmSync(passing, { force: true });
  }
  const newest = statesIn(folder).sort((one, other) => other.usedMs - one.usedMs);
  const stay = withinBounds(newest, IN_FILES, ({ bytes }) => bytes);
  for (const one of newest) if (!stay.includes(one)) rmSync(one.path, { force: true });
}

function note(hashes: Hashes, place: StatesPlace): void {
  const known = readIndex(place.folder);
  if (known.some((one) => one.join() === hashes.join())) return;
  createFolder(place);
  const passing = passingFile(place);
  const text = JSON.stringify([...known, hashes].slice(-MAX_PROMPTS));
  writeFileSync(passing, text, { mode: 0o600 });
  renameSync(passing, join(place.folder, INDEX));
}

type Hashes = readonly string[];

function hashesOf(tokens: readonly TokenId[]): Hashes {
  const hashes: string[] = [];
  for (let end = BLOCK; end <= tokens.length && hashes.length < MAX_BLOCKS; end += BLOCK) {
    const block = tokens.slice(end - BLOCK, end).join();
    const hash = createHash('sha256')
      .update(`${hashes.at(-1) ?? ''} ${block}`)
      .digest('hex');
    hashes.push(hash.slice(0, 24));
  }
  return hashes;
}

function readIndex(folder: string): readonly Hashes[] {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, INDEX), 'utf8'));
    return Array.isArray(read) ? read.filter(Array.isArray) : [];
  } catch {
    return [];
  }
}

function statesIn(folder: string) {
  return namesIn(folder).flatMap((name) => {
    const [, tokens, hash] = STATE.exec(name) ?? [];
    if (hash === undefined) return [];
    const path = join(folder, name);
    try {
      const { size: bytes, mtimeMs: usedMs } = statSync(path);
      return { tokens: Number(tokens), hash, path, bytes, usedMs };
    } catch {
      // Another process is loading it, or has removed it.
      return [];
    }
  });
}

function removeLeftovers(folder: string): void {
  // Another process is loading it.
  orNull(() => {
    for (const name of namesIn(folder).filter(isPassing)) rmSync(join(folder, name));
  });
}

function namesIn(folder: string): readonly string[] {
  return orNull(() => readdirSync(folder)) ?? [];
}
