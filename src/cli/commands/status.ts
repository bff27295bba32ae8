import { join } from 'node:path';
import { driverOf } from '../../drivers/driver-of.ts';
import type { LockOwner } from '../../host/engine-port.ts';
import { type RunStatusKind, statusOf } from '../../host/journals/run-status.ts';
import { visible } from '../../lib/text/visible.ts';
import { filesWritten } from '../../run/stream/changed-files.ts';
import { usageFields } from '../../run/stream/result-body.ts';
import { isSwapping, withheldPaths } from '../../schema/journal/swap.ts';
import type { LastTurn, Paused, RunState } from '../../schema/state.ts';
import { turnsIn } from '../../schema/state-parts/children.ts';
import { callLabel } from '../../shown/calls.ts';
import { classesText, costText, tokensText } from '../../shown/costs.ts';
import { pauseWords } from '../../shown/turns.ts';
import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import { nextStepText, toGoOn } from '../command-line/option-flags.ts';
import { resumeCommand, sameWorkCommand } from '../command-line/resume-command.ts';
import { journalPath } from '../journal-tail.ts';
import { clockTime } from '../local-time.ts';
import { promptSizeOf } from '../prompt-size.ts';
import { isSelfExplanatory, nextOf } from '../render/ending/pause.ts';
import { describeUsage } from '../render/records/describe.ts';
import { missingRules } from '../render/records/permissions.ts';
import { printFolded } from '../render/text/fold.ts';
import { type Fact, factLines } from '../render/text/rows.ts';
import { createStyle, type Style } from '../render/text/style.ts';
import { cut, duration, inLine, oneLine, plural } from '../render/text/text.ts';
import { planTree, shownPlan } from '../render/work/plan-tree.ts';
import { selectedRun } from '../selected-run.ts';
import { lastErrorIn } from './last-error.ts';
import { printJson, printNoRun, wantsJson } from './print.ts';

/** `agent status`: prints where the run or the conversation stands, from its journal alone. */
export async function statusCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  const chat = await import('../chat/off.ts');
  const conversation = chat.selectedConversation(context);
  if (conversation !== null) return chat.sayConversation(context, conversation);
  const run = selectedRun(context);
  const belief = engine.beliefIn(workspace, run?.id);
  if (belief.kind === 'none') return printNoRun(context);
  const { kind: origin, state } = belief;
  // Only the current run can have an owner.
  const isOther = run !== null && !run.isCurrent;
  const owner = isOther ? null : engine.lockOwner(workspace);
  const standing = statusOf(state, owner);
  const allow = missingRules(state) ?? [];
  const otherRun = isOther ? run.number : null;
  const words = { ...toGoOn(invocation, state.paused ?? {}), allow, otherRun };
  const resume = origin === 'own' && canResume(standing) ? resumeCommand(words, terminal) : null;
  if (wantsJson(context)) {
    const usage = usageFields(state.usage);
    const promptSize = promptSizeOf(state);
    return printJson(context, {
      standing,
      origin,
      owner,
      resume,
      workspace,
      ...usage,
      promptSize,
      state,
    });
  }
  const style = createStyle(terminal, terminal.stdout);
  const isDebug = verbosityOf(invocation) === 'debug';
  const error = lastErrorIn(journalPath(workspace, run), state);
  const seen = { state, standing, origin, owner, resume, workspace, error, isDebug };
  const typed = (verb: string) => sameWorkCommand(verb, invocation, terminal);
  const text = statusText({ ...seen, agent: terminal.program, typed }, style);
  printFolded(terminal.stdout, text);
  return 0;
}

const canResume = (standing: RunStatusKind): boolean =>
  standing === 'killed' || standing === 'paused';

/** False for a run that is over: it takes no answer. */
const mayAnswer = (standing: RunStatusKind): boolean =>
  standing === 'running' || canResume(standing);

interface StatusFacts {
  readonly state: RunState;
  readonly standing: RunStatusKind;
  /** `foreign`: the run is shown but not acted on. */
  readonly origin: 'own' | 'foreign';
  readonly owner: LockOwner | null;
  readonly resume: string | null;
  readonly workspace: string;
  /** The last failure; `null`: none. */
  readonly error: string | null;
  readonly isDebug: boolean;
  /** The name by which the program was started. */
  readonly agent: string;
  /** A command about the same work. */
  typed(verb: string): string;
}

export function statusText(facts: StatusFacts, style: Style): string {
  const { state, standing, origin, resume, workspace, agent, typed } = facts;
  const { counters, settings } = state;
  // The advice of a foreign run may name a server of its author, so it is left out.
  const advises = origin === 'own' && state.paused !== null;
  const withheld = cut([...withheldPaths(state)].map(oneLine).join(', '), 300);
  const files = standing === 'undone' ? [] : filesWritten(state);
  const mode =
    settings && `${settings.provider} ${settings.model}, ${driverOf(settings).mode} mode`;
  const work = [
    ...(facts.isDebug ? [plural(counters.rounds, 'round')] : []),
    plural(turnsIn(state), 'model turn'),
    plural(counters.actions, 'action'),
  ];
  const table = factLines(style, [
    ['Goal', oneLine(state.goal)],
    ['State', standingText(facts)],
    [
      'Origin',
      origin === 'own' ? '' : `not begun by your agent here, so not resumed: ${typed('adopt')}`,
    ],
    ['Next', advises ? oneLine(nextStepText(nextOf(state.paused), agent)) : ''],
    ['Model', oneLine(mode ?? '')],
    ['Work', work.join(', ')],
    ...usageRows(state.usage),
    ['Files', cut(files.map(oneLine).join(', '), 300)],
    [
      'Pending',
      isSwapping(state)
        ? `its changes are only partly out of the folder: ${typed('apply')}, or any start, finishes it`
        : '',
    ],
    ['Withheld', withheld],
    [
      '',
      withheld === ''
        ? ''
        : `nothing proves these changes; ${typed('diff')} shows them, ${typed('apply')} brings them in`,
    ],
    ['Last error', cut(oneLine(facts.error ?? ''), MAX_OF_ERROR)],
    ['Kept in', inLine(join(workspace, '.agent_context'))],
    ...(origin === 'own' && mayAnswer(standing) ? waitingRows(facts) : []),
    ['Resume', resume ?? ''],
  ]);
  const plan = shownPlan(state);
  const tree =
    plan === null
      ? ['no plan yet']
      : planTree(plan, style.glyphs).map((line) => style.paint(line.tone, line.text));
  return `${[...table, '', ...tree].join('\n')}\n`;
}

/** `agent show` prints all of it. */
const MAX_OF_ERROR = 300;

/** Each call that a yes of its own would let through. */
const waitingRows = ({ state, standing, agent }: StatusFacts): readonly Fact[] =>
  (state.permissions?.open ?? []).flatMap((request): readonly Fact[] => {
    const said = request.id.slice(0, 8);
    return [
      ['Asks for', cut(visible(callLabel(request)), 200)],
      ['Say yes', `${agent} approve ${said}`],
      ['Say no', standing === 'running' ? `${agent} deny ${said}` : ''],
    ];
  });

/** Whether a person is being asked at this moment. */
const asksNow = ({ permissions }: RunState): boolean =>
  permissions?.open.some(({ isNoted }) => !isNoted) === true;

const UNDER_WAY: { readonly [phase: string]: string } = {
  planning: 'planning',
  replanning: 'planning again',
  deciding: 'deciding what to do',
  executing: 'carrying out what the model asked for',
  checking: 'checking what was done',
};

function underWay({ phase, wait }: Pick<RunState, 'phase' | 'wait'>): string {
  if (wait) return `waiting until ${clockTime(wait.until)} to ask the model again`;
  return phase.name === 'awaiting_content'
    ? `writing ${visible(phase.file)}`
    : (UNDER_WAY[phase.name] ?? 'working');
}

const pausedText = (paused: Paused, last: LastTurn | null): string =>
  isSelfExplanatory(paused)
    ? `paused: ${oneLine(paused.detail)}`
    : [`paused, ${pauseWords(paused, last)}`, oneLine(paused.detail)].filter(Boolean).join(': ');

function usageRows(usage: RunState['usage']): readonly Fact[] {
  const { total, last } = usage;
  return [
    ['Model use', `${tokensText(total)}, ${duration(total.modelMs)} of model time`],
    ['', classesText(total)],
    ['Last turn', last === null ? '' : describeUsage(last)],
    ['Cost', costText(usage)],
  ];
}

function standingText({ state, standing, owner, typed }: StatusFacts): string {
  switch (standing) {
    case 'running':
      return `running in process ${owner?.pid ?? '?'}, ${asksNow(state) ? 'waiting for your answer' : underWay(state)}`;
    case 'killed':
      return `stopped unexpectedly while ${underWay(state)}; nothing recorded is lost`;
    case 'paused':
      return state.paused === null ? 'paused' : pausedText(state.paused, state.lastTurn);
    case 'undoing':
      return `its undo was cut off: ${typed('undo')} finishes it`;
    case 'achieved':
    case 'answered':
    case 'unverified':
    case 'failed':
    case 'undone': {
      const detail = oneLine(state.ended?.detail ?? '');
      return `finished, ${standing}${detail === '' ? '' : `: ${detail}`}`;
    }
    default:
      return standing satisfies never;
  }
}
