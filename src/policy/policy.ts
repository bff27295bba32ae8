/** What a run may do: decides about a call before its tool prepares anything. */
import type { CommandDescriptions } from '../languages/commands/allowed-commands.ts';
import { type BuildsNow, NO_BUILDS } from '../languages/commands/command-rule.ts';
import { isSecretFile } from '../languages/files/secret-files.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { type SplitCommand, splitCommand } from '../tools/commands/split-command.ts';
import type { CallDecision, Decide, PolicyRequest } from '../tools/decision.ts';
import { programFrom } from '../tools/files/in-folder.ts';
import { readBytes } from '../workspace/files.ts';
import { calledSubject } from './called.ts';
import type { CommandOptions } from './command/contract.ts';
import { interpreterIn } from './command/interpreter.ts';
import { commandPartsOf } from './command/parts.ts';
import { commandSubject } from './command/subjects.ts';
import { touchedBy } from './command/touched.ts';
import { outsideOfCopy } from './copy.ts';
import { judgeByRules, type Layers, type Subject } from './layers.ts';
import { leadsOutside } from './leads-outside.ts';
import { fromWorkspace, isProtected, type PathOptions, pathSubject } from './paths.ts';
import { protectedBelow, readRulesOf } from './protected-below.ts';
import { isReadOnly } from './read-only.ts';
import { repositoriesAt } from './repositories.ts';
import { parseRule, type ReadingRules } from './rules/parse.ts';
import type { Rule } from './rules/rule.ts';
import { covers } from './rules/words.ts';
import { shellDecision } from './shell.ts';
import { webDecision } from './web.ts';
import { decisionOf, typedRule } from './words-of.ts';

export interface PolicyOptions extends Pick<PathOptions, 'isUsers'> {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  readonly home?: string | null;
  readonly layers: Layers;
  readonly reading: ReadingRules;
  /** The tool to use instead of a program, by the program's name. */
  readonly programHints: Pick<ReadonlyMap<string, string>, 'get'>;
  /** The description of the permitted commands for the model. */
  readonly commandDescriptions: CommandDescriptions;
  /** Left out: the workspace contains no build files. */
  readonly builds?: BuildsNow;
  /** The build files in a folder of the workspace; left out: none. */
  readonly buildsIn?: (folder: string) => BuildsNow;
  /** True if a question can reach someone. */
  readonly canAsk?: boolean;
  /** True if commands are confined. */
  readonly isSandboxed?: boolean;
  /** True in a child's copy of the workspace. */
  readonly isInCopy?: boolean;
  /** For a copy with links to installed packages: the absolute real path of the workspace that lends them. */
  readonly lender?: string | undefined;
  /** Why no web page is read; `null`: some may be. */
  readonly webOff?: string | null;
  /** Whether a proxy lies between here and an address; left out: none does. */
  readonly isProxied?: (url: URL) => boolean;
}

export interface Policy {
  readonly decide: Decide;
  /** The same, synchronously. */
  decideNow(request: PolicyRequest): CallDecision;
  /**
   * The decision about a command line, or why it cannot be parsed, as its tool words it.
   * @param folder the folder of its target
   * @param line the line as already parsed
   */
  judgeLine(
    cmd: string,
    folder?: string,
    line?: SplitCommand,
  ): CallDecision | { readonly kind: 'unreadable'; readonly text: string };
  /** Why a planned command would be refused; `null`: it may run, or someone can be asked. */
  commandFault(cmd: string): string | null;
  /** True for a command that runs tests or only reads through git. */
  isReadOnly(cmd: string, folder?: string, line?: SplitCommand): boolean;
  /** The answer of the current rules to a question that needs these rules; `null`: they do not cover it. */
  rulesCover(rules: readonly string[]): Cover | null;
  /** Whether the text of a file may be shown without consent. */
  mayShow(path: string): boolean;
  mayRemove(path: string): boolean;
  /**
   * Whether showing a file's text needs consent. Follows no links, so it is fast enough for every file of a
   * workspace.
   */
  hides(path: string): boolean;
}

/** A decision by rules. */
interface Cover {
  readonly allowed: boolean;
  readonly why: string;
  /** The rule that allows it, if it is a single rule. */
  readonly rule?: string;
}

/** Decides from the request and the current content of the workspace alone. */
export function policyOf(options: PolicyOptions): Policy {
  const policy = policyBy(options);
  if (options.isInCopy !== true) return policy;
  const decideNow: Policy['decideNow'] = (request) =>
    outsideOfCopy(request) ?? policy.decideNow(request);
  return { ...policy, decideNow, decide: async (request) => decideNow(request) };
}

function policyBy(options: PolicyOptions): Policy {
  const at: At = {
    ...options,
    home: options.home ?? null,
    // A run may be given rules while it works.
    get layers() {
      return options.layers;
    },
  };
  const { isSandboxed = false } = options;
  const decisionFor = (subjects: readonly (Subject | null)[], cmd: string | null): CallDecision =>
    decisionOf(
      subjects.flatMap((one) =>
        one === null ? [] : [judgeByRules(one, options.layers, isSandboxed)],
      ),
      { ...aboutCommands(options), cmd, isSandboxed },
    );
  const judgeLine: Policy['judgeLine'] = (cmd, folder, line) => {
    const { platform } = at.fs;
    const split = line ?? splitCommand(cmd, platform);
    if (!split.ok) return { kind: 'unreadable', text: `${split.reason} ${split.hint}` };
    const words = [programFrom(split.program, folder, platform), ...split.args];
    return decisionFor(commandSubjects(words, placeIn(at, folder)), cmd);
  };
  const decideNow: Policy['decideNow'] = ({ target, line, reaches, ...of }) => {
    if (target?.kind === 'command') {
      const said = judgeLine(target.text, target.folder, line);
      // A line that cannot be parsed never runs: its tool refuses it and reports the fault.
      return said.kind === 'unreadable' ? { kind: 'allow' } : said;
    }
    if (target?.kind === 'shell') return shellIn(target.text, at, decisionFor);
    if (target?.kind === 'address')
      return webDecision(target.text, at, (subject) => decisionFor([subject], null));
    const called = calledSubject(of);
    if (called !== null) return decisionFor([called], null);
    const subjects = reaches.map((reach) => pathSubject(reach, at, false));
    // What the jail refuses is never done; the tool explains it better.
    const isRefused = subjects.some(
      (one, place) => one === null && reaches[place]?.does === 'edit',
    );
    return isRefused ? { kind: 'allow' } : decisionFor(subjects, null);
  };
  const mayShow = (path: string): boolean => {
    if (pathsOf(at.fs.platform).isAbsolute(path) && leadsOutside(path, at)) return false;
    const subject = pathSubject({ does: 'read', path }, at, true);
    return subject === null || judgeByRules(subject, options.layers).effect === 'allow';
  };
  return {
    decide: async (request) => decideNow(request),
    decideNow,
    judgeLine,
    isReadOnly: (cmd, folder, line) => isReadOnly(cmd, commandOptionsOf(placeIn(at, folder)), line),
    commandFault: (cmd) => faultOf(cmd, judgeLine(cmd), options.canAsk),
    rulesCover: (rules) => coverOf(rules, options),
    mayShow,
    mayRemove: (path) => mayRemove(path, at),
    hides: (path) =>
      (isSecretFile(path) || readRulesOf(options.layers).length > 0) && !mayShow(path),
  };
}

function faultOf(
  cmd: string,
  said: ReturnType<Policy['judgeLine']>,
  canAsk = false,
): string | null {
  if (said.kind === 'allow' || (said.kind === 'ask' && canAsk)) return null;
  return `${cmd}: ${said.kind === 'unreadable' ? said.text : `${said.reason} ${said.hint}`}`;
}

function mayRemove(path: string, at: At): boolean {
  const subject = pathSubject({ does: 'remove', path }, at, false);
  const isAllowed = at.layers.user.allow.some((rule) => subject?.isAllowedBy(rule));
  return isAllowed && subject !== null && judgeByRules(subject, at.layers).effect === 'allow';
}

/** The description of commands, with the rules that allow some. */
const aboutCommands = ({
  commandDescriptions,
  fs,
  layers,
}: Pick<PolicyOptions, 'commandDescriptions' | 'fs' | 'layers'>) => ({
  commandDescriptions,
  platform: fs.platform,
  // A rule given again at a resume occurs twice.
  allowedCommands: [
    ...new Set(
      layers.user.allow.flatMap(({ pattern, text }) =>
        pattern.kind === 'command' ? typedRule(text) : [],
      ),
    ),
  ],
});

const coverOf = (
  rules: readonly string[],
  { layers, reading }: Pick<PolicyOptions, 'layers' | 'reading'>,
): ReturnType<Policy['rulesCover']> => {
  const wanted = rules.map((text) => parseRule(text, reading));
  const { allow, deny } = layers.user;
  const denied = deny.find((one) => wanted.some((rule) => isWithin(rule, one)));
  if (denied) return { allowed: false, why: `A rule of the user holds it back: ${denied.text}.` };
  const matched = wanted.map((rule) => allow.find((one) => isWithin(rule, one))?.text);
  if (matched.length === 0 || matched.includes(undefined)) return null;
  const [rule, ...others] = new Set(matched);
  const why = `allowed by ${matched.join(' and ')}`;
  return { allowed: true, why, ...(rule === undefined || others.length > 0 ? {} : { rule }) };
};

const shellIn = (
  line: string,
  at: At,
  decisionFor: (subjects: readonly (Subject | null)[], cmd: string | null) => CallDecision,
): CallDecision =>
  shellDecision(line, at.fs.platform, (words) => decisionFor(commandSubjects(words, at), null));

/** True if everything that the first rule allows, the second allows too. */
function isWithin(
  { pattern: one, text }: Rule,
  { pattern: other, text: otherText }: Rule,
): boolean {
  if (text === otherText) return true;
  if (one.kind === 'command' && other.kind === 'command') return covers(other, one);
  if (one.kind === 'path' && other.kind === 'path')
    return other.root === 'workspace' && other.glob === '**' && other.does === one.does;
  if (one.kind === 'host') return other.kind === 'host' && other.host === null;
  if (one.kind === 'programs') return other.kind === 'programs' && other.folder === null;
  return (
    one.kind === 'mcp' && other.kind === 'mcp' && one.server === other.server && other.tool === null
  );
}

interface At extends PolicyOptions, PathOptions {
  readonly home: string | null;
}

const placeIn = (at: At, folder: string | undefined): At =>
  folder === undefined ? at : { ...at, folder, builds: at.buildsIn?.(folder) ?? NO_BUILDS };

function commandOptionsOf(at: At): CommandOptions {
  const { fs, programHints, commandDescriptions, builds = NO_BUILDS, folder, isInCopy } = at;
  return {
    platform: fs.platform,
    programHints,
    commandDescriptions,
    builds,
    isElsewhere: folder !== undefined,
    isInCopy,
    isOutside: (path) => leadsOutside(path, at),
    exists: (path) => {
      const subject = pathSubject({ does: 'read', path }, at, true);
      return subject !== null && kindAt(fromWorkspace(path, at), at) !== null;
    },
    isFile: (path) => kindAt(fromWorkspace(path, at), at) === 'file',
    interpreterOf: (path) => interpreterAt(fromWorkspace(path, at), at),
    isProtected: (path) => isProtected(path, at),
    repositoriesAt: (folder) => repositoriesAt(fromWorkspace(folder || '.', at), at),
    protectedBelow: (folder, look) => protectedBelow(fromWorkspace(folder, at), at, look),
  };
}

const kindAt = (path: string, { fs, workspace }: At): FileInfo['kind'] | null =>
  orNull(() => fs.stat(`${workspace}/${path}`).kind);

const MAX_SCRIPT_BYTES = 100_000;

const interpreterAt = (path: string, { fs, workspace }: At): string | null => {
  const script = orNull(() => readBytes(fs, `${workspace}/${path}`, MAX_SCRIPT_BYTES));
  return script === null ? null : interpreterIn(script.toString('latin1'));
};

/** The line, everything that it would run, and all paths that these read or change. */
function commandSubjects(words: readonly string[], at: At): readonly (Subject | null)[] {
  const options = commandOptionsOf(at);
  return commandPartsOf(words, options).flatMap((part) => [
    commandSubject(part, options),
    ...(part.isLine && !part.isGuess ? [] : touchedBy(part, options)).map((path) =>
      pathSubject(path, at, true),
    ),
  ]);
}
