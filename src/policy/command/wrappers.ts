/** Programs that run the program in their arguments, and where that program begins. Pure. */

import { own } from '../../lib/own.ts';
import { splitCommand } from '../../tools/commands/split-command.ts';

export interface Wrapped {
  /** Where the words of the inner command begin and end. */
  readonly from: number;
  readonly to: number;
  /** Why the whole needs a question, whatever the inner command is; empty: it does not. */
  readonly doubt: string;
}

/** The program may run an unknown command, which may begin at these places. */
interface Opaque {
  readonly mayBegin: readonly number[];
}

/** `null`: the program runs nothing. */
type Reading = readonly Wrapped[] | Opaque | null;
type Reader = (args: readonly string[]) => Reading;

/** Plain flags, flags with a value, and the number of words before the command. */
interface Grammar {
  readonly flags: RegExp;
  readonly taking?: RegExp;
  readonly words?: number;
  readonly doubt?: string;
}

const reader =
  ({ flags, taking, words = 0, doubt = '' }: Grammar): Reader =>
  (args) => {
    let at = 0;
    for (; args[at]?.startsWith('-'); at += 1) {
      const arg = args[at] ?? '';
      if (arg === '--') {
        at += 1;
        break;
      }
      if (taking?.test(arg)) at += 1;
      else if (!flags.test(arg)) return opaque(args, words);
    }
    return tail(args, at + words, doubt);
  };

const isFlag = (arg = ''): boolean => arg.startsWith('-');

/**
 * A word behind a flag is the command, or the value of the flag; the first other word is the command.
 * @param words before the command
 */
function opaque(args: readonly string[], words = 0): Opaque {
  const bare = args.flatMap((arg, at) => (isFlag(arg) || ASSIGNS.test(arg) ? [] : [at]));
  const plain = bare.filter((at) => !isFlag(args[at - 1]));
  const last = plain[words] ?? args.length;
  return { mayBegin: bare.filter((at) => at <= last) };
}

const ASSIGNS = /^[A-Za-z_]\w*=/;

const tail = (args: readonly string[], from: number, doubt = ''): Reading =>
  from < args.length ? [{ from, to: args.length, doubt }] : null;

/** A variable may name a program, or a file that a program loads. */
const env: Reader = (args) => {
  let at = 0;
  let sets = false;
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (/^(?:-i|-|--ignore-environment|--)$/.test(arg)) continue;
    if (/^(?:-u|--unset)$/.test(arg)) at += 1;
    else if (ASSIGNS.test(arg)) sets = true;
    else if (arg.startsWith('-')) return opaque(args);
    else break;
  }
  return tail(args, at, sets ? 'It sets variables for the program behind it.' : '');
};

/** Turns `env -S "git push" x` into `env git push x`, as env itself would split it. */
export function spreadEnv(args: readonly string[], platform: NodeJS.Platform): readonly string[] {
  const at = args.findIndex((arg) => /^(?:-[iv0]*S|--split-string(?:=|$))/.test(arg));
  const flag = args[at];
  if (flag === undefined || args.slice(0, at).some((arg) => !/^-|^[A-Za-z_]\w*=/.test(arg)))
    return args;
  const own = flag.startsWith('--')
    ? flag.slice(flag.indexOf('=') + 1 || flag.length)
    : flag.replace(/^-[iv0]*S/, '');
  const text = own === '' ? (args[at + 1] ?? '') : own;
  const rest = args.slice(at + (own === '' ? 2 : 1));
  const split = splitCommand(text, platform);
  return split.ok ? [...args.slice(0, at), split.program, ...split.args, ...rest] : args;
}

const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/;

const find: Reader = (args) => {
  const found: Wrapped[] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!FIND_RUNS.test(args[at] ?? '')) continue;
    const end = args.findIndex((arg, place) => place > at && (arg === ';' || arg === '+'));
    const to = end === -1 ? args.length : end;
    found.push({ from: at + 1, to, doubt: 'It runs a program for what it finds.' });
    at = to;
  }
  return found.length === 0 ? null : found;
};

const NOTHING = /^(?!)/;

const READERS: { readonly [program: string]: Reader } = {
  env,
  find,
  timeout: reader({
    flags: /^(?:-[kvs].+|-v|--(?:foreground|preserve-status|verbose|kill-after=.*|signal=.*))$/,
    taking: /^(?:-k|-s|--kill-after|--signal)$/,
    words: 1,
  }),
  time: reader({ flags: /^-p$/ }),
  nice: reader({ flags: /^(?:-\d+|-n-?\d+|--adjustment=.*)$/, taking: /^(?:-n|--adjustment)$/ }),
  ionice: reader({ flags: /^-(?:t|[cn]\d)$/, taking: /^-[cn]$/ }),
  nohup: reader({ flags: NOTHING }),
  setsid: reader({ flags: /^(?:-[cfw]+|--(?:ctty|fork|wait))$/ }),
  stdbuf: reader({ flags: /^(?:-[ioe].+|--(?:input|output|error)=.*)$/, taking: /^-[ioe]$/ }),
  xargs: reader({
    flags: /^(?:-[0rtx]+|-[nIPLsdE].+|--(?:null|no-run-if-empty|verbose|max-\w+=.*))$/,
    taking: /^-[nIPLsdE]$/,
    doubt: 'Its further words come from what it reads.',
  }),
  watch: (args) => opaque(args),
  start: (args) => opaque(args),
};

export const readWrapped = (name: string, args: readonly string[]): Reading =>
  own(READERS, name)?.(args) ?? null;

const SHELLS = /^(?:sh|bash|dash|zsh|ksh|fish|csh|tcsh|cmd|powershell|pwsh|wsl|busybox)$/;
export const isShell = (name: string): boolean => SHELLS.test(name);

/** The line given to a shell; `null`: none, so it reads a file or its input. */
export function shellLine(args: readonly string[]): string | null {
  const at = args.findIndex((arg) => /^(?:-[a-z]*c|\/[ck]|-command)$/i.test(arg));
  return at === -1 ? null : args.slice(at + 1).join(' ');
}
