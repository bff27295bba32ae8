import { jsonrepair } from 'jsonrepair';
import { isRecord } from '../../../lib/json-value.ts';
import { oneLine } from '../text/text.ts';

/** Pure: the readable part of a plan that is still being written. */
export interface DraftTask {
  readonly description: string;
  readonly steps: readonly string[];
}

/** A longer text is not a plan. */
const LONGEST = 60_000;
const MAX_TASKS = 20;
const MAX_STEPS = 40;

/** Keys whose text does not say what is done. */
const BESIDE: ReadonlySet<string> = new Set(['action', 'purpose', 'done_when', 'tool', 'id']);

/** No tasks while none is readable yet. */
export function draftTasksIn(text: string): readonly DraftTask[] {
  const start = text.indexOf('{');
  if (start < 0 || text.length > LONGEST) return [];
  try {
    const plan: unknown = JSON.parse(jsonrepair(text.slice(start)));
    return listIn(plan, 'tasks').slice(0, MAX_TASKS).flatMap(taskOf);
  } catch {
    return [];
  }
}

function taskOf(task: unknown): readonly DraftTask[] {
  const description = textIn(task, 'description') ?? textIn(task, 'title') ?? '';
  const steps = listIn(task, 'subtasks').slice(0, MAX_STEPS).flatMap(stepOf);
  return description === '' && steps.length === 0 ? [] : [{ description, steps }];
}

/** `write todo.py` of `{"action":"write_file","file":"todo.py"}`. */
function stepOf(step: unknown): readonly string[] {
  if (typeof step === 'string') return [oneLine(step)];
  if (typeof step !== 'object' || step === null) return [];
  const [verb = ''] = (textIn(step, 'action') ?? '').split('_', 1);
  const target = Object.entries(step).find(
    ([key, value]) => !BESIDE.has(key) && typeof value === 'string' && value !== '',
  );
  const words = [verb, target === undefined ? '' : oneLine(String(target[1]))];
  const said = words.filter(Boolean).join(' ');
  return said === '' ? [] : [said];
}

function textIn(value: unknown, key: string): string | null {
  const found = fieldIn(value, key);
  return typeof found === 'string' ? oneLine(found) : null;
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const found = fieldIn(value, key);
  return Array.isArray(found) ? found : [];
}

const fieldIn = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
