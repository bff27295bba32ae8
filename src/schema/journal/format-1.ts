/**
 * Reads records of format 1 as if they had been written today. A line of format 1 has no durable mark. Pure;
 * what a record did not say is left open, and the fold takes it from the call.
 */
import * as z from 'zod';
import { textIn } from '../../lib/json-value.ts';
import type { Capability, Touches } from '../actions.ts';
import type { JournalRecord } from '../records.ts';

const Step = z.lazy(() =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('write_file'), file: z.string() }),
    z.object({ action: z.literal('edit_file'), file: z.string() }),
    z.object({ action: z.literal('read_file'), file: z.string() }),
    z.object({ action: z.literal('list_dir'), path: z.string() }),
    z.object({ action: z.literal('run_cmd'), cmd: z.string(), stdin: z.string().optional() }),
    z.object({ action: z.literal('goal') }),
  ]),
);

const Plan = z.lazy(() =>
  z.looseObject({
    tasks: z.array(z.looseObject({ subtasks: z.array(z.looseObject({ step: Step })) })),
  }),
);

/** The differing parts of each record; the rest passes through and is checked as a current record. */
const OLD = {
  settings_changed: z.lazy(() =>
    z.looseObject({
      mode: z.enum(['native', 'json']),
      isModeFree: z.boolean(),
      tools: z.array(z.string()),
    }),
  ),
  turn_finished: z.lazy(() =>
    z.looseObject({
      response: z.looseObject({ toolCalls: z.unknown().optional() }),
      decoded: z.looseObject({
        kind: z.string(),
        recovered: z.boolean().optional(),
        calls: z
          .array(z.looseObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }))
          .optional(),
      }),
    }),
  ),
  action_finished: z.lazy(() =>
    z.looseObject({
      tool: z.string(),
      facts: z.looseObject({}).optional(),
      hashes: z.looseObject({}).optional(),
    }),
  ),
  plan_set: z.lazy(() => z.looseObject({ plan: Plan })),
  replanned: z.lazy(() => z.looseObject({ plan: Plan })),
} as const;

type OldSubtask = z.infer<typeof Plan>['tasks'][number]['subtasks'][number];
type OldType = keyof typeof OLD;

const isOldType = (type: unknown): type is OldType =>
  typeof type === 'string' && Object.hasOwn(OLD, type);

export type Upgraded =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly why: string };

/** @param value of a line whose checksum held, with `seq` and `ts`. */
export function fromFormat1(value: object): Upgraded {
  const type = 'type' in value ? value.type : undefined;
  if (!isOldType(type)) return { ok: true, value };
  const { data, error } = OLD[type].safeParse(value);
  if (!error) return { ok: true, value: upgraded(type, data) };
  const [issue] = error.issues;
  return { ok: false, why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
}

function upgraded(type: OldType, value: z.infer<(typeof OLD)[OldType]>): object {
  switch (type) {
    case 'settings_changed':
      return upgradedSettings(value as z.infer<(typeof OLD)['settings_changed']>);
    case 'turn_finished':
      return upgradedTurn(value as z.infer<(typeof OLD)['turn_finished']>);
    case 'action_finished': {
      return upgradedOutcome(value as z.infer<(typeof OLD)['action_finished']>);
    }
    case 'plan_set':
    case 'replanned':
      return upgradedPlan(value as z.infer<(typeof OLD)['plan_set']>);
  }
}

/** A result that shows only part of a file begins or continues with a `[`. */
const IS_PART = /^\[|\n\[\.\.\. /;

/** The conversation contained the full text that was read, unless the result says otherwise. */
function upgradedOutcome(value: z.infer<(typeof OLD)['action_finished']>): object {
  const { tool, status, result, facts, hashes } = value;
  const traits = traitsOf(tool);
  const isWhole =
    traits.does === 'reads_files' &&
    status === 'ok' &&
    typeof result === 'string' &&
    !IS_PART.test(result);
  const shown = isWhole ? { facts: { ...facts, shows: Object.keys(hashes ?? {}) } } : {};
  return { ...value, ...traits, target: null, ...shown };
}

const DRIVERS = { native: 'free', json: 'guided' } as const;

/** Only the tools' names are known: the run continues with today's definitions. */
function upgradedSettings({
  mode,
  isModeFree,
  ...rest
}: z.infer<(typeof OLD)['settings_changed']>): object {
  return { ...rest, driver: DRIVERS[mode], mayChangeDriver: isModeFree, tools: null };
}

/** Without native calls, a file was named without its content, which got a turn of its own. */
function upgradedTurn(value: z.infer<(typeof OLD)['turn_finished']>): object {
  const { decoded, response } = value;
  const [first] = decoded.calls ?? [];
  const isNamed = response.toolCalls === undefined && decoded.recovered === false;
  const isApart = first?.name === 'write_file' && !('content' in first.args);
  if (!isNamed || !isApart) return value;
  return { ...value, decoded: { kind: 'file', path: textIn(first.args.path) } };
}

/** The tools of format 1; a call of any other name did nothing. */
const TOOLS: { readonly [tool: string]: { readonly touches: Touches; readonly does: Capability } } =
  {
    list_dir: { touches: 'reads', does: 'lists_folders' },
    read_file: { touches: 'reads', does: 'reads_files' },
    write_file: { touches: 'files', does: 'writes_whole_files' },
    edit_file: { touches: 'files', does: 'edits_files' },
    run_cmd: { touches: 'process', does: 'runs_commands' },
    mark_subtask_complete: { touches: 'nothing', does: 'ends_subtasks' },
  };

const traitsOf = (tool: string): { readonly touches: Touches; readonly does?: Capability } =>
  (Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined) ?? { touches: 'nothing' };

const upgradedPlan = ({ plan, ...rest }: z.infer<(typeof OLD)['plan_set']>): object => ({
  ...rest,
  plan: {
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, subtasks: task.subtasks.map(upgradedSubtask) })),
  },
});

type PlannedStep = NonNullable<
  Extract<JournalRecord, { type: 'plan_set' }>['plan']['tasks'][number]['subtasks'][number]['step']
>;

function upgradedSubtask({ step, ...rest }: OldSubtask): object {
  const today = upgradedStep(step);
  return today === null ? rest : { ...rest, step: today };
}

function upgradedStep(step: z.infer<typeof Step>): PlannedStep | null {
  const { action } = step;
  if (action === 'goal') return null;
  const { does } = traitsOf(action);
  const named = { action, ...(does ? { does } : {}) };
  switch (action) {
    case 'write_file':
    case 'edit_file':
      return { ...named, target: step.file };
    case 'read_file':
      return { ...named, target: step.file, args: { path: step.file } };
    case 'list_dir':
      return { ...named, target: step.path, args: { path: step.path } };
    case 'run_cmd': {
      const stdin = step.stdin ? { stdin: step.stdin } : {};
      return { ...named, target: step.cmd, args: { cmd: step.cmd, ...stdin } };
    }
  }
}
