/**
 * The plain form of a plan, in which a subtask is a sentence that begins with a tool's name:
 * `[{"description": "…", "subtasks": ["write_file game.py with the rules", "run_cmd node a.js"]}]`,
 * alone or under `tasks`. Models that were not held to the schema write it. Pure.
 */
import type { PlannableTool } from './plan-schema.ts';

type Entry = { readonly [key: string]: unknown };

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same with each such sentence as a subtask of the full form; all else stays as it came. */
export function withoutPlainSteps(json: unknown, tools: readonly PlannableTool[]): unknown {
  if (Array.isArray(json)) return { tasks: plainTasks(json, tools) };
  if (!isEntry(json) || !Array.isArray(json.tasks)) return json;
  return { ...json, tasks: plainTasks(json.tasks, tools) };
}

/** A list that is too long for a plan is left as it is: whoever reads it says so. */
const MOST_TASKS = 100;

const plainTasks = (
  tasks: readonly unknown[],
  tools: readonly PlannableTool[],
): readonly unknown[] =>
  tasks.length > MOST_TASKS ? tasks : tasks.map((task) => plainTask(task, tools));

function plainTask(task: unknown, tools: readonly PlannableTool[]): unknown {
  if (!isEntry(task) || !Array.isArray(task.subtasks)) return task;
  if (task.subtasks.length > MOST_TASKS) return task;
  const about = typeof task.description === 'string' ? task.description : '';
  const subtasks = task.subtasks.map((subtask) =>
    typeof subtask === 'string' && subtask.length <= LONGEST_STEP
      ? (readStep(subtask, about, tools) ?? subtask)
      : subtask,
  );
  return { ...task, subtasks };
}

/** In characters; a longer step is no sentence. */
const LONGEST_STEP = 4000;
const MOST_PURPOSE = 400;
/** Most words that the name of a tool is written with: `write to file`. */
const MOST_WORDS = 3;

function readStep(text: string, about: string, tools: readonly PlannableTool[]): Entry | null {
  const words = text.trim().split(/\s+/);
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count -= 1) {
    const tool = toolCalled(words.slice(0, count).join(''), tools);
    if (tool === null) continue;
    const rest = words.slice(count).join(' ');
    const [target, purpose] = tool.key === 'file' ? fileAndRest(rest) : commandAndRest(rest);
    return {
      action: tool.name,
      [tool.key]: target,
      purpose: (purpose || about || text).slice(0, MOST_PURPOSE),
    };
  }
  return null;
}

/** By its name or by what such tools are called elsewhere: `Create file`, `bash:`. */
function toolCalled(name: string, tools: readonly PlannableTool[]): PlannableTool | null {
  const flat = flatten(name);
  const called = tools.find((tool) => flatten(tool.name) === flat);
  return called ?? tools.find(({ aliases }) => aliases.includes(flat)) ?? null;
}

const flatten = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** `game.py with the rules`: a path has no blank unless it stands in marks. */
function fileAndRest(text: string): readonly [string, string] {
  const [whole = '', marked, bare = ''] = /^(?:[`"']([^`"']+)[`"']|(\S+))/.exec(text) ?? [];
  const target = marked ?? bare.replace(/[,:;]+$/, '');
  return [target, withoutJoint(text.slice(whole.length))];
}

/** What it is run for is said behind it in some way; all else belongs to the command. */
const FOR_WHAT =
  /\s+(?:\(|- |# |(?:to|and|so that)\s+(?:verify|see|check|test|show|make|ensure|confirm|demonstrate|prove)\b)/;

function commandAndRest(text: string): readonly [string, string] {
  const marked = /^`([^`]+)`/.exec(text);
  if (marked) return [marked[1] ?? '', withoutJoint(text.slice(marked[0].length))];
  const at = FOR_WHAT.exec(text)?.index ?? text.length;
  return [text.slice(0, at).replace(/[:;]+$/, ''), withoutJoint(text.slice(at))];
}

const withoutJoint = (text: string): string =>
  text
    .replace(/^[\s:,;(#-]+/, '')
    .replace(/^(?:with|to|that|which|containing)\s+/i, '')
    .replace(/\)$/, '')
    .trim();
