/**
 * Pure: a plan with variables, in a Markdown file whose head names them. `{{name}}` stands for the value of `--set
 * name=…`, `{{goal}}` for the goal. A value is always a single line, so that it cannot add a task or a proof.
 */

import { escaped } from '../../decompose/plan-text/write-plan.ts';
import { misuse } from '../../lib/errors.ts';
import { nearestWord } from '../../lib/text/edit-distance.ts';
import { onOneLine } from '../../lib/text/one-line.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { isOwnName, readFrontMatter } from '../own-files.ts';
import { oneLine } from '../render/text/text.ts';

export interface Template {
  readonly name: string;
  /** For people: the file, or '' for a built-in template. */
  readonly file: string;
  readonly about: string;
  readonly variables: readonly { readonly name: string; readonly about: string }[];
  readonly wants: 'answer' | null;
  /** The plan with its variables unfilled. */
  readonly text: string;
  readonly definition: string;
}

export const SET_FLAG = longFlag(OPTIONS.set);
const GOAL = 'goal';
const TAKEN: readonly string[] = [GOAL, 'description', 'variables', 'wants'];
const VARIABLE = /\{\{([a-z][a-z0-9-]*)\}\}/g;

export function templateOf(
  name: string,
  file: string,
  definition: string,
): Template | { readonly why: string } {
  const head = readFrontMatter(definition);
  if ('why' in head) return head;
  const { description = '', variables = '', wants = '' } = head.fields;
  const names = variables.split(/[\s,]+/).filter(Boolean);
  const odd = names.find((one) => !isOwnName(one) || TAKEN.includes(one));
  if (odd !== undefined) return { why: `"${oneLine(odd)}" cannot be the name of a variable.` };
  if (wants !== '' && wants !== 'answer')
    return { why: '"wants:" is answer, or is left out where work is wanted.' };
  const used = [...head.text.matchAll(VARIABLE)].map(([, one = '']) => one);
  const unknown = used.find((one) => one !== GOAL && !names.includes(one));
  if (unknown !== undefined)
    return { why: `{{${unknown}}} stands in it, and "variables:" of its head does not name it.` };
  if (head.text.trim() === '') return { why: 'it has no plan.' };
  return {
    name,
    file,
    definition,
    text: head.text.trim(),
    about: oneLine(description),
    variables: names.map((one) => ({ name: one, about: oneLine(head.fields[one] ?? '') })),
    wants: wants === 'answer' ? wants : null,
  };
}

/**
 * The plan with its variables filled in. Throws E_USAGE for a missing variable, or one that the template does not have.
 */
export function filledIn(template: Template, goal: string, set: readonly string[]): string {
  const values = new Map([...valuesOf(template, set), [GOAL, goal] as const]);
  const missing = template.variables.filter(({ name }) => !values.has(name));
  const [first] = missing;
  if (first !== undefined)
    throw misuse(
      `The template "${template.name}" needs ${missing.map(described).join(', and ')}.`,
      `Give it: ${SET_FLAG} ${first.name}=VALUE`,
    );
  const value = (name: string): string => values.get(name) ?? '';
  return template.text
    .split('\n')
    .map((line) => filledLine(line, value))
    .join('\n');
}

const described = ({ name, about }: Template['variables'][number]): string =>
  about === '' ? name : `${name} (${about})`;

function filledLine(line: string, value: (name: string) => string): string {
  const [, exact, only] =
    /^(\s*- (?:prints|stdin): *)\{\{([a-z][a-z0-9-]*)\}\}\s*$/.exec(line) ?? [];
  // White space counts in what is printed or read.
  if (exact !== undefined && only !== undefined) return exact + JSON.stringify(value(only));
  const filled = (text: string): string =>
    text.replace(VARIABLE, (_, name: string) => onOneLine(value(name)));
  const [, mark, text] = /^(- |## )(\{\{.*)$/.exec(line) ?? [];
  return mark === undefined || text === undefined ? filled(line) : mark + escaped(filled(text));
}

function valuesOf({ name, variables }: Template, set: readonly string[]): [string, string][] {
  const names = variables.map((one) => one.name);
  return set.map((word): [string, string] => {
    const at = word.indexOf('=');
    const [variable, value] = [word.slice(0, at).trim(), word.slice(at + 1)];
    if (at < 1 || value.trim() === '')
      throw misuse(
        `"${SET_FLAG} ${oneLine(word)}" gives no variable a value.`,
        `Write it like ${SET_FLAG} NAME=VALUE.`,
      );
    if (names.includes(variable)) return [variable, value];
    const near = nearestWord(variable, names);
    const has = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.`;
    throw misuse(
      `The template "${name}" has no variable "${oneLine(variable)}".`,
      near === null ? has : `Did you mean "${near}"?`,
    );
  });
}
