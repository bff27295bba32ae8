/** Models as pure functions of the request: the same conversation, the same answer. */
import type { JsonSchema, ModelRequest } from '../../src/schema/model/turn.ts';
import type { Script, ScriptedCall, ScriptedReply } from './scripted-provider.ts';

export interface PlannedWork {
  readonly subtasks: readonly Record<string, string>[];
  readonly verify?: { readonly cmd: string; readonly prints?: string; readonly stdin?: string };
  /** Content of each file, by name, one entry a version; the last one stays. */
  readonly files?: { readonly [name: string]: readonly string[] };
  readonly answer?: string;
  /** How it reads the goal, of a model that leads. */
  readonly brief?: object;
}

/** One program that prints one text, as a goal states it whole: `node a.mjs prints "x"`. */
const STATED = /^GOAL: (.*?\b((?:node|python) \S+) prints "([^"\n]*)"\.?)$/m;
const PART = /^(\d+) .*?\b((?:node|python) \S+) prints "([^"\n]*)"\.?$/gm;

/** What a script that says nothing of it answers to the question how its goal is read: what is stated. */
export function briefIn(question: string): string {
  const goal = question.slice(question.lastIndexOf('GOAL:'));
  const examples = [...goal.matchAll(PART)].map(([, part, input, result]) => ({
    ...{ goal_part: Number(part), how: 'command', input, result },
  }));
  const asks_for = /[?？؟]\s*$/.test(goal) ? 'question' : 'work';
  return JSON.stringify({ asks_for, examples, keep: [], tests: 0 });
}

/** The same with a plan. */
export function statedIn(request: string): readonly object[] {
  const [, quote, input, gives] = STATED.exec(request) ?? [];
  return input === undefined ? [] : [{ quote, argv: input.split(' '), gives }];
}

export const asksForBrief = (schema: unknown): boolean =>
  JSON.stringify(schema ?? '').includes('"asks_for"');

export const planJson = (work: PlannedWork): string =>
  JSON.stringify({
    tasks: [{ description: 'the work', subtasks: work.subtasks }],
    verify: { cmd: '', prints: '', stdin: '', ...work.verify },
    ...(work.brief === undefined ? {} : { brief: work.brief }),
  });

export type Wanted = 'plan' | 'tools' | 'action' | 'content';

const places = ({ messages }: ModelRequest, words: RegExp): number =>
  messages.findLastIndex(({ role, content }) => role !== 'assistant' && words.test(content));

/** The model leads, and has looked for as long as it is asked for a plan. */
const isSurvey = (request: ModelRequest): boolean =>
  places(request, /There is no plan yet|The plan did not work:/) >
  places(request, /ACTIVE SUBTASK /);

/** A plan as a model says it, set by the call that sets it where tools are on the wire. */
export function asPlanned(request: ModelRequest, reply: ScriptedReply): ScriptedReply {
  const plan = request.tools && wantedBy(request) === 'plan' ? planIn(reply.text ?? '') : null;
  if (plan === null || reply.isCutOff) return reply;
  const isWithout = places(request, /pytest is not installed here/) >= 0;
  const verify = isWithout
    ? { ...plan.verify, cmd: 'python -m unittest', prints: '' }
    : plan.verify;
  return {
    calls: [{ name: 'set_plan', args: setPlanArgs({ ...plan, ...(verify ? { verify } : {}) }) }],
  };
}

/**
 * The same for all that a script answers. A plan that is set says what the goal states, where it says
 * nothing of it itself.
 */
export const stating =
  (
    script: Script,
    stated: (request: ModelRequest) => readonly object[] = (request) => statedIn(textOf(request)),
  ): ((request: ModelRequest, n: number) => ScriptedReply) =>
  (request, n) => {
    const said = script(request, n);
    const reply = asPlanned(request, typeof said === 'string' ? { text: said } : said);
    const examples = stated(request);
    if (!reply.calls || examples.length === 0) return reply;
    return {
      ...reply,
      calls: reply.calls.map(({ name, args }) => ({
        name,
        args: name === 'set_plan' ? { brief: { examples }, ...args } : args,
      })),
    };
  };

/** The same, and the question how the goal is read is answered too. */
export const planning =
  (script: Script): ((request: ModelRequest, n: number) => ScriptedReply) =>
  (request, n) =>
    asksForBrief(request.responseSchema)
      ? { text: briefIn(textOf(request)) }
      : stating(script)(request, n);

/** Words of a request, whether a wire has them as texts or as blocks. */
export const textOf = ({ messages }: { readonly messages: readonly object[] }): string =>
  messages
    .flatMap((message) => ('content' in message ? [message.content] : []))
    .flat()
    .map((one) => (typeof one === 'string' ? one : Object(one).text))
    .join('\n');

export interface PlanText {
  readonly tasks: readonly {
    readonly description: string;
    readonly subtasks: readonly Record<string, string>[];
  }[];
  readonly verify?: PlannedWork['verify'];
  readonly brief?: object;
}

function planIn(text: string): PlanText | null {
  try {
    const plan = JSON.parse(text);
    return Array.isArray(plan.tasks) ? plan : null;
  } catch {
    return null;
  }
}

export const setPlanArgs = ({ tasks, verify, brief }: PlanText): Record<string, unknown> => ({
  tasks: tasks.map(({ description, subtasks }) => ({
    description,
    subtasks: subtasks.map(({ action = '', file, cmd, purpose }) => ({
      do: `${action} ${cmd ?? file}: ${purpose}`,
      ...(/^(?:write|edit)_file$/.test(action) ? { files: [file] } : {}),
    })),
  })),
  ...(verify?.cmd
    ? {
        proof: {
          cmd: verify.cmd,
          ...(verify.prints ? { prints: verify.prints } : {}),
          ...(verify.stdin ? { stdin: verify.stdin } : {}),
        },
      }
    : {}),
  ...(brief === undefined ? {} : { brief }),
});

export const wantedBy = (request: ModelRequest): Wanted =>
  request.tools
    ? isSurvey(request)
      ? 'plan'
      : 'tools'
    : request.responseSchema === undefined
      ? 'content'
      : 'tasks' in propertiesOf(request.responseSchema)
        ? 'plan'
        : 'action';

const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema.properties ?? {}) as Record<string, JsonSchema>;

/** Actions a json question leaves open, each with its schema. */
export const openIn = (request: ModelRequest): readonly Record<string, JsonSchema>[] => {
  const schema = request.responseSchema ?? {};
  const all = (schema.anyOf ?? [schema]) as readonly JsonSchema[];
  return all.map(propertiesOf);
};

/** Follows its plan to the letter, in either tool mode. */
export function diligentModel(work: PlannedWork): Script {
  return (request) => {
    switch (wantedBy(request)) {
      case 'plan':
        return planJson(withNamedProof(request, work));
      case 'content':
        return contentReply(request, work);
      case 'action':
        return actionReply(request, work);
      case 'tools':
        return { calls: [nativeCall(request, work)] };
    }
  };
}

/** Told by which command tests are run here, it plans that one. */
function withNamedProof(request: ModelRequest, work: PlannedWork): PlannedWork {
  const [, cmd] = /verify\.cmd: .* Use (.+)\.\n/.exec(request.messages.at(-1)?.content ?? '') ?? [];
  return cmd === undefined ? work : { ...work, verify: { cmd } };
}

/** The same; asked what a user would type, it types what its plan says. */
export const workingModel =
  (work: PlannedWork): Script =>
  (request, n) => {
    const reply = diligentModel(work)(request, n);
    const text = typeof reply === 'string' ? reply : reply.text;
    if (wantedBy(request) !== 'action' || text === undefined) return reply;
    const answer = JSON.parse(text);
    return 'stdin' in answer
      ? JSON.stringify({ ...answer, stdin: work.verify?.stdin ?? '' })
      : reply;
  };

const versionOf = (versions: readonly string[], written: number): string =>
  versions[Math.min(written, versions.length - 1)] ?? '';

const said = (request: ModelRequest): string =>
  request.messages.map((one) => one.content).join('\n');

/** The file whose content is asked for, else the one named last in the question. */
function contentReply(request: ModelRequest, work: PlannedWork): ScriptedReply {
  const question = request.messages.at(-1)?.content ?? '';
  const place = (file: string): number =>
    question.includes(`whole content of ${file}`)
      ? Number.POSITIVE_INFINITY
      : question.lastIndexOf(file);
  const [name = ''] = Object.keys(work.files ?? {}).sort((one, other) =>
    place(one) === place(other) ? 0 : place(other) - place(one),
  );
  const versions = work.files?.[name] ?? [''];
  const shown = versions.filter((version) => said(request).includes(version.trim())).length;
  return { text: `\`\`\`\n${versionOf(versions, shown)}\`\`\`` };
}

function actionReply(request: ModelRequest, work: PlannedWork): ScriptedReply {
  const open = openIn(request);
  const constOf = (schema: JsonSchema | undefined) => schema?.const;
  const named = (name: string) => open.find((one) => constOf(one.action) === name);
  const end = named('mark_subtask_complete');
  const reply = (answer: Record<string, unknown>) => ({ text: JSON.stringify(answer) });
  if (end && constOf(end.success) !== false)
    return reply({
      action: 'mark_subtask_complete',
      ...(end.answer ? { answer: work.answer ?? '' } : {}),
      reason: 'it is done',
      success: true,
    });
  const [first = {}] = open;
  const [file] = (first.file?.enum ?? ['notes.txt']) as readonly string[];
  return first.cmd
    ? reply({ action: 'run_cmd', because: 'it is next', cmd: constOf(first.cmd), stdin: 'Ada' })
    : reply({ action: constOf(first.action), because: 'it is next', file });
}

/** Works on the subtask named last: does its step, runs nothing twice, then says it is done. */
function nativeCall(request: ModelRequest, work: PlannedWork): ScriptedCall {
  const done: ScriptedCall = {
    name: 'mark_subtask_complete',
    args: { success: true, reason: 'it is done', ...(work.answer ? { answer: work.answer } : {}) },
  };
  const start = request.messages.findLastIndex((one) => one.content.includes('ACTIVE SUBTASK'));
  const since = request.messages.slice(start + 1);
  const results = since.filter((one) => one.role === 'tool');
  const last = results.at(-1)?.content ?? '';
  const header = request.messages[start]?.content ?? '';
  const place = Number(/\((\d+) of/.exec(header)?.[1] ?? 1) - 1;
  const named = work.subtasks.find((one) =>
    header.includes(`: ${one.action} ${one.cmd ?? one.file}: `),
  );
  const subtask = named ?? work.subtasks[place] ?? work.subtasks[0] ?? {};
  const isFailed = results.length > 0 && /Problem in|Not done yet|exit code [1-9]/.test(last);
  if (results.length > 0 && !isFailed) return done;
  const file = isFailed ? (Object.keys(work.files ?? {})[0] ?? '') : (subtask.file ?? '');
  if (subtask.action === 'run_cmd' && !isFailed)
    return { name: 'run_cmd', args: { cmd: subtask.cmd } };
  if (subtask.action === 'read_file') return { name: 'read_file', args: { path: subtask.file } };
  if (subtask.action === 'list_dir') return { name: 'list_dir', args: { path: subtask.file } };
  const written = since.filter(
    (one) => one.role === 'tool' && one.content.startsWith('Wrote'),
  ).length;
  const versions = work.files?.[file] ?? [''];
  const before = isFailed && subtask.action === 'run_cmd' ? 1 : 0;
  return {
    name: 'write_file',
    args: { path: file, content: versionOf(versions, written + before) },
  };
}

/** On the wire a constant is a list of one. */
export function withConstants(schema: JsonSchema): JsonSchema {
  const anyOf = schema.anyOf as readonly JsonSchema[] | undefined;
  if (anyOf) return { ...schema, anyOf: anyOf.map(withConstants) };
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => {
        const values = property.enum as readonly unknown[] | undefined;
        const isConstant = name !== 'file' && values?.length === 1;
        return [name, isConstant ? { const: values[0] } : property];
      }),
    ),
  };
}

/** Replies of the model since its plan, or all of them where it was asked for that apart. */
export const workReplies = ({ messages }: ModelRequest): number =>
  messages.filter(
    (message) =>
      message.role === 'assistant' && !message.toolCalls?.some(({ name }) => name === 'set_plan'),
  ).length;

/** A model that leads ends a subtask in the same reply as its work, as strong ones do. */
export const inOneReply =
  (script: Script): Script =>
  (request, n) => {
    const said = script(request, n);
    const { calls = [], ...reply } = typeof said === 'string' ? { text: said } : said;
    const isWork = wantedBy(request) === 'tools' && calls.length === 1;
    if (!isWork || calls[0]?.name === 'mark_subtask_complete') return said;
    const done = { name: 'mark_subtask_complete', args: { success: true, reason: 'it is done' } };
    return { ...reply, calls: [...calls, done] };
  };

/** Answers each plain try so, and everything else by `script`. */
export const triedThen =
  (answer: string, script: Script): Script =>
  (request, n) =>
    request.messages[0]?.content.startsWith('You carry out goals in a folder.')
      ? answer
      : script(request, n);
