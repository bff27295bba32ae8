/**
 * Prompts that another one displaced: a run asks in more than one conversation, and the context holds one of them.
 * They are kept in memory, and stand in a file only while they are saved or loaded, which the engine needs.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Sequence, Token } from './engine-api.ts';
import {
  createFolder,
  type Kept,
  passingFile,
  type StatesPlace,
  sharedLength,
  withinBounds,
} from './state-files.ts';

const IN_MEMORY = { states: 4, megabytes: 128 };

interface Displaced {
  readonly tokens: readonly Token[];
  readonly state: Buffer;
}

export function displacedPrompts(place: StatesPlace) {
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
