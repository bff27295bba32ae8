/** How programs are started that are only harmless when they are started so. */
import type { Start } from '../tools/commands/start.ts';
import { gitStart } from './git-start.ts';
import { grepStart, ripgrepStart } from './search-start.ts';

const STARTS: { readonly [name: string]: Start } = {
  git: gitStart,
  grep: grepStart,
  rg: ripgrepStart,
};

/** What of a rule is only true of a program that is started in its own way. */
export const startOf: Start = async (request, ask) =>
  (await (Object.hasOwn(STARTS, request.name) ? STARTS[request.name] : undefined)?.(
    request,
    ask,
  )) ?? { kind: 'as_it_is' };
