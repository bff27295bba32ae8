import type { OpenedModel } from '../../host/providers/provider-row.ts';
import { isSameGoal } from '../../journal/runs/goal-id.ts';
import { defined } from '../../lib/defined.ts';
import { misuse } from '../../lib/errors.ts';
import type { ModelSetting, Provider } from '../../llm/provider.ts';
import type { RecordingFile } from '../../llm/recorded/recording-file.ts';
import { optionsForCall, type RunOptionValues } from '../../options/option-values.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { RunResult } from '../../run/result.ts';
import { createNarrator, type Narrator } from '../../run/stream/narrator.ts';
import { errorBody, STOPPED } from '../../run/stream/result-body.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { Stamped } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { isFinished } from '../../schema/state-parts/untried.ts';
import { workedInAll } from '../../schema/state-parts/worked.ts';
import { storedHead } from '../../schema/stored-head.ts';
import { checkRules } from '../check-rules.ts';
import type { CommandContext } from '../command-context.ts';
import { noGoal } from '../command-line/arguments.ts';
import { type Invocation, verbosityOf } from '../command-line/invocation.ts';
import { ignoredText, withFlag } from '../command-line/option-flags.ts';
import { resumeCommand } from '../command-line/resume-command.ts';
import { webFor } from '../command-line/web-for.ts';
import { chooseFirst } from '../first-start/choose-first.ts';
import { jsonLine } from '../json-line.ts';
import { type Logs, openLogs, printsLog } from '../logs.ts';
import { createHold, createPace } from '../process/hold.ts';
import { type Interrupt, listenForInterrupt } from '../process/interrupt.ts';
import { askAtTerminal } from '../questions/ask-person.ts';
import { askPlanAtTerminal } from '../questions/ask-plan.ts';
import { meansThisFolder } from '../questions/home-folder.ts';
import { isPersonThere } from '../questions/person-there.ts';
import { serversFor } from '../questions/servers-for.ts';
import { type Trials, trialsAt } from '../questions/skip-trials.ts';
import { type WhichRun, whichRun } from '../questions/which-run.ts';
import type { Renderer } from '../render/contract.ts';
import type { EndedRun } from '../render/ending/summary.ts';
import { createRenderer } from '../render/renderer.ts';
import { printFolded } from '../render/text/fold.ts';
import type { givenPlan } from '../templates/find.ts';
import { report } from './report.ts';
import { choiceOf, hiddenIn, notAsked, recordingFor, wantedFor } from './run-model.ts';

/** `agent "goal"` and `agent resume`: one run from its start to its exit code. */
export async function runCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  checkRules(context);
  const goal = await goalOf(context);
  const which = whichRun(context, goal);
  const { state, isOver } = which;
  const isSame =
    invocation.again !== true && state !== null && (goal === null || isSameGoal(goal, state.goal));
  const goesOn = isSame && !isFinished(state);
  if (!which.isThere && !(await meansThisFolder(context))) return EXIT.usage;
  const settled = goesOn ? context.configured.goOn : context.configured.begin;
  const choice = choiceOf(context, goal, state);
  const chosen = isOver ? null : await chooseFirst(context, choice);
  if (chosen !== null) return chosen;
  const template = await planFor(context, goal);
  const startedAt = terminal.clock.monotonic();
  const screen = createRenderer(terminal, {
    verbosity: verbosityOf(invocation),
    isMixed: invocation.json === true || printsLog(invocation),
    notifies: settled.notify !== false,
    changeMade: (change) => engine.changeMade(invocation.workspace, change),
    interrupt: () => interrupt.press(),
  });
  const trials = trialsAt(screen);
  const interrupt: Interrupt = listen(context, screen, trials);
  const narrator = narratorFor(context, goal);
  const tell = (text: string, level: 'info' | 'warning' = 'info'): void =>
    screen.observe({ type: 'notice', level, text });
  let opened: OpenedModel | null = null;
  let logs: Logs | null = null;
  try {
    logs = await openLogs(invocation, terminal, (text) => tell(text, 'warning'));
    const { signal } = interrupt;
    const wanted = wantedFor(context, choice, settled, {
      report: tell,
      signal,
      before: goesOn ? which.state : null,
    });
    const recording = await recordingFor(context, choice, screen);
    opened = await (isOver ? notAsked(engine, wanted) : engine.openModel(wanted));
    const hiddenFiles = [...hiddenIn(context, choice), ...logs.files];
    const seen: WorkParts['seen'] = { printed: '', isBriefShown: false };
    const heard = { seen, narrator, screen, recording, logs, trials };
    const { models } = wanted;
    const parts = { goal, template, which, opened, models, interrupt, hiddenFiles, ...heard };
    const result = await work({ ...context, invocation: settled }, parts);
    // If there was nothing to do, the notice has not been shown yet.
    if (result.ending === 'already_finished' && which.setAside !== '') tell(which.setAside);
    screen.stop();
    const elapsedMs = elapsedIn(result.state, terminal.clock.monotonic() - startedAt);
    return await report(context, result, { elapsedMs, narrator, ...seen });
  } finally {
    screen.stop();
    await opened?.provider.close();
    logs?.close();
    interrupt.dispose();
  }
}

/** The time of every worker of the run, as the tokens are those of every worker. */
const elapsedIn = (state: RunState, took: number): number =>
  state.lease === undefined ? took : Math.max(took, workedInAll(state));

/** `null` if no program listens. An error ends the stream, too, so `main` reports it there. */
function narratorFor({ invocation, terminal, stream }: CommandContext, goal: string | null) {
  if (invocation.json !== true) return null;
  const { workspace } = invocation;
  const narrator = createNarrator({ goal, workspace }, (event) =>
    terminal.stdout.write(jsonLine(event)),
  );
  stream.narrator = narrator;
  return narrator;
}

async function goalOf({ invocation, terminal }: CommandContext): Promise<string | null> {
  if (invocation.command === 'resume') return null;
  if (invocation.goal !== '-') return invocation.goal;
  const goal = await terminal.readAllInput();
  if (goal.trim() === '') throw noGoal();
  return goal.trim();
}

function listen(
  { invocation, terminal, stream }: CommandContext,
  screen: Renderer,
  { skips }: Trials,
): Interrupt {
  const resume = resumeCommand(invocation, terminal);
  return listenForInterrupt(terminal, EXIT.interrupted, {
    skips,
    onFirst: () =>
      screen.observe({
        type: 'notice',
        level: 'warning',
        text: 'Stopping. Press Ctrl+C again to stop at once; nothing is lost either way.',
      }),
    onSecond: () => {
      screen.stop();
      stream.narrator?.end(errorBody(STOPPED, resume));
      printFolded(terminal.stderr, `${STOPPED.message} ${STOPPED.hint}\n  Resume: ${resume}\n`);
    },
  });
}

async function planFor(
  { invocation, terminal }: CommandContext,
  goal: string | null,
): Promise<ReturnType<typeof givenPlan> | null> {
  if (invocation.template === undefined) {
    if (invocation.set === undefined) return null;
    throw misuse(
      `${longFlag(OPTIONS.set)} is for a template.`,
      `Name it with ${longFlag(OPTIONS.template)}.`,
    );
  }
  if (goal === null) return null;
  const { givenPlan } = await import('../templates/find.ts');
  return givenPlan(terminal, invocation, goal);
}

interface WorkParts {
  readonly goal: string | null;
  readonly template: ReturnType<typeof givenPlan> | null;
  readonly which: WhichRun;
  /** What the proof printed when it last passed. */
  readonly seen: Proved & { isBriefShown: boolean };
  readonly narrator: Narrator | null;
  readonly opened: OpenedModel;
  /** The models that plan and work, by their full names. */
  readonly models: ReturnType<typeof wantedFor>['models'];
  readonly screen: Renderer;
  readonly interrupt: Interrupt;
  readonly recording: RecordingFile | null;
  readonly logs: Logs;
  readonly trials: Trials;
  readonly hiddenFiles: readonly string[];
}

/** Sends each event to its listeners: programs, the screen, a recording. The first record brings the notices. */
function emitterOf(
  { terminal }: CommandContext,
  {
    which,
    seen,
    narrator,
    screen,
    recording,
    logs,
    trials,
  }: Pick<WorkParts, 'which' | 'seen' | 'narrator' | 'screen' | 'recording' | 'logs' | 'trials'>,
): (event: RunEvent) => void {
  const hold = createHold(terminal);
  const pace = createPace(terminal);
  const log = logs.observer();
  let isSaid = false;
  const emit = (emitted: RunEvent): void => {
    const event = withFlag(emitted);
    narrator?.emit(event);
    trials.observe(event);
    screen.observe(event);
    log(event);
    if (event.type !== 'record') return;
    Object.assign(seen, provedBy(event.record));
    seen.isBriefShown ||= event.record.type === 'brief_made';
    recording?.belongsTo(event.state.run, event.state.counters.turns);
    hold(event.record);
    pace();
    if (isSaid) return;
    isSaid = true;
    if (which.setAside) emit({ type: 'notice', level: 'info', text: which.setAside });
  };
  return emit;
}

async function work(context: CommandContext, parts: WorkParts): Promise<RunResult> {
  const { invocation, terminal, engine } = context;
  const { goal, template, opened, screen, interrupt, recording, hiddenFiles, which, models } =
    parts;
  const { model, ignores = [], profile, baseUrl, fallbacks } = opened;
  if (invocation.forgetFolders !== true) engine.noteFolder(invocation.workspace);
  const recorded = <One extends { readonly provider: Provider; readonly profile?: string }>(
    one: One,
  ): One => (recording ? { ...one, provider: recording.wrap(one.provider, one.profile) } : one);
  const emit = emitterOf(context, parts);
  const left = ignoredText({ model, ignores }, (setting) => isGiven(setting, invocation));
  const say = (text: string): void => emit({ type: 'notice', level: 'warning', text });
  const hold = () => screen.hold?.() ?? (() => {});
  for (const text of [opened.notice, ...left].filter(Boolean)) say(text);
  return await engine.runGoal({
    ...optionsForCall<RunOptionValues>('run', invocation, OPTIONS),
    web: invocation.web ?? webFor(terminal),
    workspace: invocation.workspace,
    rules: context.configured.rules,
    goal,
    ...(template === null ? {} : { template: template.plan }),
    ...(template?.wants ? { wants: template.wants } : {}),
    ...(which.id === undefined ? {} : { run: which.id }),
    provider: recorded(opened).provider,
    model,
    models,
    hiddenFiles,
    ...defined({ profile, baseUrl, fallbacks: fallbacks?.map(recorded) }),
    servers: which.isOver
      ? {}
      : await serversFor(context, { warn: say, hold, signal: interrupt.signal }),
    ...(isPersonThere(terminal, invocation)
      ? {
          ask: askAtTerminal(terminal, hold),
          askPlan: askPlanAtTerminal(terminal, hold, () => parts.seen.isBriefShown),
        }
      : {}),
    emit,
    signal: interrupt.signal,
    skipTrials: parts.trials.skip,
    ...(screen.inbox === undefined ? {} : { inbox: screen.inbox }),
  });
}

type Proved = Pick<EndedRun, 'printed' | 'tests'>;

function provedBy(record: Stamped): Proved | null {
  if (record.type !== 'check_ran' || !record.proof || record.scratch) return null;
  const { passed, printed = '', facts } = record;
  return { printed: passed ? storedHead(printed) : '', tests: facts.tests };
}

const isGiven = (setting: ModelSetting, { temperature, seed }: Invocation): boolean =>
  setting === 'temperature'
    ? temperature !== undefined && temperature !== OPTIONS.temperature.usual
    : seed !== undefined;
