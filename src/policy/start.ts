/** Starts programs that are harmless only when started in a particular way. */
import { own } from '../lib/own.ts';
import { AS_IT_IS, type ChangeStart } from '../tools/commands/start.ts';
import { gitStart } from './git-start.ts';
import { diffStart, grepStart, ripgrepStart } from './search-start.ts';

const STARTS: { readonly [name: string]: ChangeStart } = {
  diff: diffStart,
  git: gitStart,
  grep: grepStart,
  rg: ripgrepStart,
};

/** Makes true what a rule assumes about the way in which a program is started. */
export const startOf: ChangeStart = async (request, ask) =>
  (await own(STARTS, request.name)?.(request, ask)) ?? AS_IT_IS;
