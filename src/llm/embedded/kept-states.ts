/**
 * What the model has read already, so that it need not read it again: a prompt that another one displaces, and the
 * start that a prompt has in common with one of an earlier process. Nothing depends on either: what cannot be kept or
 * loaded is read anew.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { commonStarts } from './common-starts.ts';
import type { Sequence, Token } from './engine-api.ts';
import {
  createFolder,
  type Kept,
  passingFile,
  type StatesPlace,
  sharedLength,
  WORTH,
  withinBounds,
} from './state-files.ts';

export interface KeptStates {
  /** Keeps what this prompt displaces, and loads what is kept of it, if either is worth it. */
  prepare(sequence: Sequence, prompt: readonly Token[]): Promise<void>;
  /** How many tokens of the prompt to read before `keepStart` is called; 0: it is not to be called. */
  commonStart(prompt: readonly Token[]): number;
  /** Keeps what the sequence holds for later processes. */
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

/** A full disk, a folder that may not be written, a file of another version. */
async function unlessItFails(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // The prompt is read instead.
  }
}

async function load(sequence: Sequence, kept: Kept): Promise<void> {
  let isLoaded = false;
  try {
    await sequence.loadStateFromFile(kept.file(), { acceptRisk: true });
    isLoaded = true;
  } finally {
    // It may have been loaded in part.
    if (!isLoaded) await sequence.clearHistory();
    kept.done(isLoaded);
  }
}

const IN_MEMORY = { states: 4, megabytes: 128 };

interface Displaced {
  readonly tokens: readonly Token[];
  readonly state: Buffer;
}

/**
 * Prompts that another one displaced: a run asks in more than one conversation, and the context holds one of them.
 * They are kept in memory, and stand in a file only while they are saved or loaded, which the engine needs.
 */
function displacedPrompts(place: StatesPlace) {
  const passing = passingFile(place);
  const removeFile = (): void => rmSync(passing, { force: true });
  let all: readonly Displaced[] = [];
  return {
    of: (prompt: readonly Token[]): readonly Kept[] =>
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
