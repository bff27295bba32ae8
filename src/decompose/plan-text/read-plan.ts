/** Parses the text of a plan that a person edited. Every fault names its line. */
import { Lexer, type Token, type Tokens } from 'marked';
import { defined } from '../../lib/defined.ts';
import { jsonIn } from '../../lib/json-value.ts';
import { nearestWord } from '../../lib/text/edit-distance.ts';
import { shortened } from '../../lib/text/shortened.ts';
import { isWrite } from '../../schema/capability.ts';
import {
  type Plan,
  type Proof,
  type Subtask,
  type SubtaskStep,
  subtasksOf,
} from '../../schema/plan.ts';
import type { PlannableTool } from '../plan-schema.ts';
import { normalPath } from '../planned-work.ts';
import { faultOfWork } from '../proposed-work.ts';
import { joinedLines } from './write-plan.ts';

export type PlanReading =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly line: number; readonly fault: string };

export interface PlanReader {
  /** The plan that the text was made from: unchanged parts keep what the text does not show. */
  readonly before: Plan;
  readonly tools: readonly PlannableTool[];
}

export function readPlanText(text: string, reader: PlanReader): PlanReading {
  try {
    return { ok: true, plan: planIn(text, reader) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, line: error.line, fault: error.message };
  }
}

class Fault extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** A line of text, its first line number, and the fields below it. */
interface Item {
  readonly line: number;
  readonly text: string;
  readonly fields: readonly {
    readonly line: number;
    readonly key: string;
    readonly value: string;
  }[];
}

interface TaskText {
  readonly line: number;
  readonly description: string;
  readonly items: Item[];
}

function planIn(text: string, reader: PlanReader): Plan {
  const tasks: TaskText[] = [];
  let proof: Item | null = null;
  let part: 'plan' | 'proof' = 'plan';
  let line = 1;
  for (const token of blocksOf(text.replaceAll('\r\n', '\n'))) {
    const at = line;
    line += linesIn(token.raw);
    if (token.type === 'space' || isComment(token)) continue;
    if (token.type === 'heading' && token.depth === 1) part = partOf(token.text, at);
    else if (token.type === 'heading' && part === 'plan')
      tasks.push({ line: at, description: plain(token.text), items: [] });
    else if (token.type === 'list') {
      const items = itemsOf(token as Tokens.List, at);
      const task = tasks.at(-1);
      if (part === 'plan' && task === undefined)
        throw new Fault(
          at,
          'A subtask stands below a task. Write "## " and what the task is above it.',
        );
      if (part === 'plan') task?.items.push(...items);
      else if (proof !== null || items.length > 1)
        throw new Fault(at, 'The proof is one command. Leave one of them.');
      else proof = items[0] ?? null;
    } else
      throw new Fault(
        at,
        'This is no heading and no list. A task begins with "## ", a subtask with "- ".',
      );
  }
  return planOf(tasks, proof, reader);
}

/** Far more than any plan needs. */
const MAX_CHARS = 200_000;

/** The blocks of a text. Marks inside a line are not read: they mean nothing here and take long to find. */
function blocksOf(text: string): readonly Token[] {
  if (text.length > MAX_CHARS)
    throw new Fault(1, `A plan is not longer than ${MAX_CHARS.toLocaleString('en')} characters.`);
  try {
    return new Lexer().blockTokens(text, []);
  } catch (error) {
    if (error instanceof RangeError) throw new Fault(1, 'Its parts are nested too deeply.');
    throw error;
  }
}

const linesIn = (raw: string): number => raw.split('\n').length - 1;

const isComment = ({ type, raw }: Token): boolean =>
  type === 'html' && /^\s*<!--[\s\S]*-->\s*$/.test(raw);

function partOf(text: string, line: number): 'plan' | 'proof' {
  const name = text.trim().toLowerCase();
  if (name === 'plan' || name === 'proof') return name;
  throw new Fault(
    line,
    `A part is called "# Plan" or "# Proof", not "# ${shortened(text)}". A task begins with "## ".`,
  );
}

function itemsOf({ items }: Tokens.List, from: number): readonly Item[] {
  let line = from;
  return items.map(({ raw, tokens }) => {
    const at = line;
    line += linesIn(raw) + (raw.endsWith('\n') ? 0 : 1);
    const [head, ...below] = tokens.filter(({ type }) => type !== 'space' && type !== 'checkbox');
    const text = head === undefined || head.type === 'list' ? '' : plain(head.raw);
    if (text === '') throw new Fault(at, 'Each subtask says what it is, in the line of its "- ".');
    let lineBelow = at + linesIn((head?.raw ?? '').trimEnd()) + 1;
    const fields = below.flatMap((token) => {
      if (token.type !== 'list')
        throw new Fault(lineBelow, 'Below a subtask stand lines such as "  - file: PATH".');
      return (token as Tokens.List).items.map((one) => {
        const fieldAt = lineBelow;
        lineBelow += linesIn(one.raw) + (one.raw.endsWith('\n') ? 0 : 1);
        return { line: fieldAt, ...fieldOf(one.text, fieldAt) };
      });
    });
    return { line: at, text, fields };
  });
}

const KEYS = ['does', 'with', 'file', 'done when', 'independent', 'prints', 'stdin'] as const;

function fieldOf(text: string, line: number): { readonly key: string; readonly value: string } {
  const [, word = '', value = ''] = /^([^:]*):([\s\S]*)$/.exec(text) ?? [];
  const key = word.trim().toLowerCase();
  if ((KEYS as readonly string[]).includes(key)) return { key, value: joinedLines(value) };
  const near = nearestWord(key, KEYS);
  throw new Fault(
    line,
    near === null
      ? `There is: ${KEYS.map((one) => `"${one}:"`).join(', ')}.`
      : `There is no "${shortened(key)}:". Did you mean "${near}:"?`,
  );
}

/** Removes the backslash that protected the text from being read as Markdown. */
const plain = (text: string): string => joinedLines(text).replace(/^\\/, '');

function planOf(tasks: readonly TaskText[], proof: Item | null, reader: PlanReader): Plan {
  if (tasks.length === 0) throw new Fault(1, 'There is no task. One begins with "## ".');
  const first = Number(reader.before.tasks[0]?.id ?? 1);
  const plan: Plan = {
    tasks: tasks.map(({ line, description, items }, index) => {
      if (items.length === 0)
        throw new Fault(
          line,
          `The task "${shortened(description)}" has no subtask. One begins with "- ".`,
        );
      const id = String(first + index);
      return {
        id,
        description,
        subtasks: items.map((item, place) => subtaskOf(item, `${id}.${place + 1}`, reader)),
      };
    }),
    fallback: false,
    ...(proof === null ? {} : { proof: proofOf(proof) }),
  };
  const fault = faultOfWork(asWork(plan), null);
  if (fault !== null) throw new Fault(1, fault);
  return plan;
}

/** The plan in the form of a free driver's proposal, to which the same limits apply. */
const asWork = ({ tasks }: Plan) => ({
  tasks: tasks.map(({ description, subtasks }) => ({
    description,
    subtasks: subtasks.map(({ purpose, files = [] }) => ({ do: purpose, files })),
  })),
});

function subtaskOf({ text, fields }: Item, id: string, reader: PlanReader): Subtask {
  const values = (key: string) => fields.filter((one) => one.key === key);
  const misplaced = fields.find(({ key }) => key === 'prints' || key === 'stdin');
  if (misplaced !== undefined)
    throw new Fault(misplaced.line, `"${misplaced.key}:" belongs to the proof.`);
  const files = values('file').map(({ value }) => normalPath(value));
  const doneWhen = values('done when')
    .map(({ value }) => value)
    .join(' ');
  const [does, second] = values('does');
  if (second !== undefined)
    throw new Fault(second.line, 'A subtask does one thing. Leave one "does:".');
  const [argumentField] = values('with');
  if (argumentField !== undefined && does === undefined)
    throw new Fault(argumentField.line, '"with:" stands below "does: TOOL TARGET".');
  const step = does === undefined ? undefined : stepOf(does, argumentField, reader);
  const same = subtasksOf(reader.before).find(
    (one) =>
      step !== undefined && one.step?.action === step.action && one.step.target === step.target,
  );
  return {
    id,
    ...(step === undefined ? {} : { step }),
    purpose: text,
    ...(files.length === 0 ? {} : { files }),
    ...(isIndependent(values('independent')) ? { independent: true } : {}),
    ...(doneWhen === '' ? {} : { done_when: doneWhen }),
    checks:
      same?.checks ?? (step && isWrite(step) ? [{ type: 'file_exists', path: step.target }] : []),
    status: 'pending',
  };
}

type Field = Item['fields'][number];

function isIndependent(fields: readonly Field[]): boolean {
  const other = fields.find(({ value }) => value !== 'yes');
  if (other !== undefined) throw new Fault(other.line, '"independent:" is "yes", or left out.');
  return fields.length > 0;
}

function stepOf(does: Field, argumentField: Field | undefined, { tools }: PlanReader): SubtaskStep {
  const [, action = '', target = ''] = /^(\S+)\s+(.+)$/.exec(does.value) ?? [];
  const tool = tools.find(({ name }) => name === action);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name);
    const near = nearestWord(action || does.value, names);
    const next = near === null ? `There is: ${names.join(', ')}.` : `Did you mean ${near}?`;
    throw new Fault(does.line, `"does:" names a tool and its target. ${next}`);
  }
  const step = { action, ...(tool.does ? { does: tool.does } : {}), target };
  // The content of a file is asked for when its step begins.
  if (isWrite(step)) return step;
  return {
    ...step,
    args: {
      ...(argumentField === undefined ? {} : jsonOf(argumentField)),
      [tool.argument]: target,
    },
  };
}

function proofOf({ text, fields }: Item): Proof {
  const wrong = fields.find(({ key }) => key !== 'prints' && key !== 'stdin');
  if (wrong !== undefined)
    throw new Fault(
      wrong.line,
      `"${wrong.key}:" belongs to a subtask. A proof has "prints:" and "stdin:".`,
    );
  const textOf = (key: string): string | undefined => {
    const field = fields.find((one) => one.key === key);
    if (field === undefined) return undefined;
    return field.value.startsWith('"') ? stringOf(field) : field.value;
  };
  const [prints, stdin] = [textOf('prints'), textOf('stdin')];
  return { cmd: text, ...defined({ stdin, prints }) };
}

function stringOf(field: Field): string {
  const value = parsed(field);
  if (typeof value === 'string') return value;
  throw new Fault(field.line, `"${field.key}:" holds a text.`);
}

function jsonOf(field: Field): { readonly [name: string]: unknown } {
  const value = parsed(field);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Fault(
    field.line,
    `"${field.key}:" holds arguments as JSON, such as {"pattern": "*.md"}.`,
  );
}

function parsed({ line, key, value }: Field): unknown {
  const read = jsonIn(value);
  if (read === undefined) throw new Fault(line, `What stands behind "${key}:" is not JSON.`);
  return read;
}
