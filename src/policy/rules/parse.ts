/**
 * The grammar of permission rules: words of a command, `read(src/**)`, `edit(src/**)`, `remove(old/**)`,
 * `mcp(server.tool)`, `tool(name)` for a tool of the embedding program, `programs(.venv)`,
 * `web_fetch(example.com)`, and a plain command. Names used by other agents are understood. Pure.
 */

import { programName } from '../../languages/commands/program-name.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { editDistance } from '../../lib/text/edit-distance.ts';
import { COMMAND_HEAD, FETCH_HEAD } from '../../tools/calls/rule-words.ts';
import { splitCommand } from '../../tools/commands/split-command.ts';
import { ruleHost } from '../../tools/web/address.ts';
import type { PathDoes, PathPattern, Pattern, Rule, RuleWords } from './rule.ts';
import { commandPattern } from './words.ts';

export interface ReadingRules {
  readonly words: RuleWords;
  readonly platform: NodeJS.Platform;
}

/** People write no longer rules. */
const MAX_RULE = 4_000;

/** Throws E_USAGE with the fault and the right form. */
export function parseRule(text: string, reading: ReadingRules): Rule {
  const trimmed = unquoted(text.trim());
  if (trimmed === '' || trimmed.length > MAX_RULE)
    throw unreadable(text, 'it is empty or too long');
  const pattern = patternOf(trimmed, reading);
  return { pattern, text: ruleText(pattern) };
}

/**
 * Without a shell nobody takes quotes away. So a rule in quotes is that rule, not a program with spaces in
 * its name.
 */
const unquoted = (text: string): string =>
  /^(['"])([^'"\\/]*\s[^'"\\/]*)\1$/.exec(text)?.[2]?.trim() ?? text;

export const parseRules = (texts: readonly string[], reading: ReadingRules): readonly Rule[] =>
  texts.map((text) => parseRule(text, reading));

function patternOf(text: string, reading: ReadingRules): Pattern {
  const [, name, inside] = /^([A-Za-z_][\w.-]*)\((.*)\)$/s.exec(text) ?? [];
  if (name !== undefined && inside !== undefined) return called(name, inside.trim(), text, reading);
  refuseBrokenCall(text, reading.words);
  const whole = wholeTool(text, reading.words);
  if (whole !== null) return whole;
  return commandOf(text, text, reading, true);
}

/**
 * Refuses a call without its end. Read as a command it would match nothing, and what it should deny would be
 * allowed.
 */
function refuseBrokenCall(text: string, words: RuleWords): void {
  const [, name = '', space] = /^([A-Za-z_][\w.-]*)(\s*)[([{]/.exec(text) ?? [];
  if (space === undefined || (space !== '' && !isHead(plainHead(name), words))) return;
  throw unreadable(text, `after ${name} it must go on with ( and end with )`);
}

const isHead = (head: string, words: RuleWords): boolean =>
  ['mcp', 'tool', 'programs', FETCH].includes(head) || kindOf(head, words) !== null;

function called(name: string, inside: string, text: string, reading: ReadingRules): Pattern {
  const head = plainHead(name);
  if (head === 'mcp') return mcpOf(inside, text);
  if (head === 'tool') return ownOf(inside, text);
  if (head === 'programs') return programsOf(inside, text);
  if (head === FETCH) return hostOf(inside, text);
  const kind = kindOf(head, reading.words);
  if (kind === null) throw isNotHere(head) ? notHere(text) : unknownName(name, reading.words);
  if (inside === '') throw unreadable(text, 'nothing stands in its brackets');
  return kind === 'command' ? commandOf(inside, text, reading, false) : pathOf(kind, inside, text);
}

const FETCH = FETCH_HEAD.replaceAll('_', '');

const plainHead = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const OWN_HEADS: ReadonlyMap<string, PathDoes> = new Map<string, PathDoes>([
  ['read', 'read'],
  ['edit', 'edit'],
  ['write', 'edit'],
  ['remove', 'remove'],
]);

/** Names of tools in the rules of other agents, reduced to lower-case letters and digits. */
const OTHER_HEADS: RuleWords = new Map([
  ['multiedit', 'edit'],
  ['notebookedit', 'edit'],
  ['notebookread', 'read'],
  ['readmanyfiles', 'read'],
  ['runterminalcmd', 'command'],
]);

/** Tools that do not exist here: a rule about them would be stored and never apply. */
const NOT_HERE: ReadonlySet<string> = new Set(
  'agent askuserquestion bashoutput codebasesearch enterplanmode exitplanmode googlewebsearch killbash killshell savememory skill slashcommand task todoread todowrite websearch writetodos'.split(
    ' ',
  ),
);

const isNotHere = (head: string): boolean => NOT_HERE.has(head);

const kindOf = (head: string, words: RuleWords): 'command' | PathDoes | null =>
  OWN_HEADS.get(head) ?? words.get(head) ?? OTHER_HEADS.get(head) ?? null;

/** A bare tool: one of our names, or a name with a capital letter, because lower-case names are programs. */
function wholeTool(text: string, words: RuleWords): Pattern | null {
  if (text.startsWith('mcp__')) {
    const [, server, tool] = /^mcp__([\w-]+?)(?:__([\w.-]+|\*))?$/.exec(text) ?? [];
    if (server === undefined) throw unreadable(text, 'it names no server');
    return { kind: 'mcp', server, tool: tool === undefined || tool === '*' ? null : tool };
  }
  const isName = /^(?:[A-Z]\w*|\w+_\w+|read|edit|remove)$/.test(text);
  if (!isName) return null;
  if (plainHead(text) === FETCH) return { kind: 'host', host: null };
  const kind = kindOf(plainHead(text), words);
  if (kind === null && isNotHere(plainHead(text))) throw notHere(text);
  if (kind === null) return null;
  return kind === 'command'
    ? commandPattern(['*'])
    : { kind: 'path', does: kind, root: 'workspace', glob: '**' };
}

/** @param isBare a program name alone stands for the program with any arguments */
function commandOf(
  inside: string,
  text: string,
  { platform }: ReadingRules,
  isBare: boolean,
): Pattern {
  const split = splitCommand(inside.replace(/:\*$/, ' *'), platform);
  if (!split.ok) throw unreadable(text, split.reason);
  const words = [namedAsCalls(split.program, platform), ...split.args];
  return commandPattern(isBare && words.length === 1 && words[0] !== '*' ? [...words, '*'] : words);
}

/**
 * A program has the same name in rules and in calls: `python3` is `python`, and on Windows `cmd.exe` is
 * `cmd`.
 */
const namedAsCalls = (program: string, platform: NodeJS.Platform): string =>
  /[\\/]/.test(program) ? program : programName(program, platform) || program;

function pathOf(does: PathDoes, inside: string, text: string): PathPattern {
  if (inside.startsWith('!')) throw unreadable(text, 'a pattern of paths does not begin with !');
  if (inside.includes('\n')) throw unreadable(text, 'a pattern of paths is one line');
  const plain = inside.replaceAll('\\', '/');
  const from = (root: PathPattern['root'], glob: string): PathPattern => ({
    kind: 'path',
    does,
    root,
    glob: glob === '' ? '**' : glob,
  });
  if (plain.startsWith('//')) return from('root', plain.slice(1));
  if (/^~(?:\/|$)/.test(plain)) return from('home', plain.slice(1));
  if (/^(?:[A-Za-z]:|~)/.test(plain) || plain.split('/').includes('..'))
    throw unreadable(text, 'a path begins at the workspace, with ~/ or with //');
  return from('workspace', plain.replace(/^\.\//, '/'));
}

function mcpOf(inside: string, text: string): Pattern {
  const [, server, tool] = /^([\w-]+)(?:\.([\w.-]+|\*))?$/.exec(inside) ?? [];
  if (server === undefined) throw unreadable(text, 'it names no server');
  return { kind: 'mcp', server, tool: tool === undefined || tool === '*' ? null : tool };
}

function ownOf(inside: string, text: string): Pattern {
  if (!/^[A-Za-z]\w{0,63}$/.test(inside)) throw unreadable(text, 'it names no tool');
  return { kind: 'own', tool: inside };
}

function programsOf(inside: string, text: string): Pattern {
  if (!/^(?:\*|[\w.-]+)$/.test(inside)) throw unreadable(text, 'it names no folder');
  return { kind: 'programs', folder: inside === '*' ? null : inside };
}

/** Other agents write `domain:` before the host. */
function hostOf(inside: string, text: string): Pattern {
  const name = inside.replace(/^domain:\s*/, '');
  const host = name === '*' ? null : ruleHost(name);
  if (name === '' || (host === null && name !== '*') || host?.includes('*'))
    throw unreadable(text, 'it names no host such as example.com');
  return { kind: 'host', host };
}

/** The rule in our form; parsing it gives the same rule. */
export function ruleText(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'command': {
      const words = pattern.words.map(({ text }) => quotedWord(text) ?? text);
      return `${COMMAND_HEAD}(${[...words, ...(pattern.rest ? ['*'] : [])].join(' ')})`;
    }
    case 'path': {
      const start = pattern.root === 'workspace' ? '' : pattern.root === 'home' ? '~' : '/';
      return `${pattern.does}(${start}${pattern.glob})`;
    }
    case 'mcp':
      return `mcp(${pattern.server}${pattern.tool === null ? '' : `.${pattern.tool}`})`;
    case 'own':
      return `tool(${pattern.tool})`;
    case 'programs':
      return `programs(${pattern.folder ?? '*'})`;
    case 'host':
      return `${FETCH_HEAD}(${pattern.host ?? '*'})`;
    default:
      return pattern satisfies never;
  }
}

/**
 * One word as a command line on any system reads it: text with quotes is written in adjacent pieces. `null`: no
 * command line can contain it.
 */
export function quotedWord(word: string): string | null {
  if (word.includes('\0')) return null;
  if (/^[\w@%+=:,./*-]+$/.test(word) && !word.startsWith('#')) return word;
  const pieces = word.split(/('+)/).filter((piece) => piece !== '');
  if (pieces.length === 0) return "''";
  return pieces.map((piece) => (piece.startsWith("'") ? `"${piece}"` : `'${piece}'`)).join('');
}

const FORMS = `Write ${COMMAND_HEAD}(git commit *), read(src/**), edit(docs/**), remove(old/**), mcp(server.tool), or a program.`;

const unreadable = (text: string, why: string): TardigradeError =>
  misuse(
    `The rule "${text.slice(0, 200)}" cannot be read: ${why}`.replace(/([^.])$/, '$1.'),
    FORMS,
  );

const notHere = (text: string): TardigradeError =>
  unreadable(text, 'other agents have such a tool, here is none');

function unknownName(name: string, words: RuleWords): TardigradeError {
  const far = (one: string): number => editDistance(plainHead(name), plainHead(one));
  const [near = ''] = [
    COMMAND_HEAD,
    ...OWN_HEADS.keys(),
    'mcp',
    'tool',
    'programs',
    FETCH_HEAD,
    ...words.keys(),
  ]
    .filter((one) => far(one) <= 2)
    .sort((one, other) => far(one) - far(other));
  const meant = near === '' ? '' : `Did you mean ${near}(…)? `;
  return misuse(`There is no rule ${name}(…).`, `${meant}${FORMS}`);
}
