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
  const style = createStyle(terminal.env, terminal.platform, terminal.stdout.isTerminal);
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

/** A run that is over takes no answer. */
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

const foreignRow = ({ typed }: StatusFacts): [string, string] => [
  'Origin',
  `not begun by your agent here, so not resumed: ${typed('adopt')}`,
];

export function statusText(facts: StatusFacts, style: Style): string {
  const { state, origin, resume, workspace, agent } = facts;
  const { counters, settings } = state;
  const rows: [string, string][] = [
    ['Goal', oneLine(state.goal)],
    ['State', standingText(facts)],
    ...(origin === 'own' ? [] : [foreignRow(facts)]),
  ];
  // The advice of a foreign run may name a server of its author, so it is left out.
  const advises = origin === 'own' && state.paused !== null;
  const next = advises ? nextStepText(nextOf(state.paused), agent) : '';
  if (next !== '') rows.push(['Next', oneLine(next)]);
  if (settings) {
    const model = `${settings.provider} ${settings.model}, ${driverOf(settings).mode} mode`;
    rows.push(['Model', oneLine(model)]);
  }
  const work = [
    ...(facts.isDebug ? [plural(counters.rounds, 'round')] : []),
    plural(turnsIn(state), 'model turn'),
    plural(counters.actions, 'action'),
  ];
  rows.push(['Work', work.join(', ')], ...usageRows(state.usage));
  const files = filesWritten(state);
  if (files.length > 0 && facts.standing !== 'undone')
    rows.push(['Files', cut(files.map(oneLine).join(', '), 300)]);
  if (isSwapping(state))
    rows.push([
      'Pending',
      `its changes are only partly out of the folder: ${facts.typed('apply')}, or any start, finishes it`,
    ]);
  const withheld = [...withheldPaths(state)];
  if (withheld.length > 0)
    rows.push(
      ['Withheld', cut(withheld.map(oneLine).join(', '), 300)],
      [
        '',
        `nothing proves these changes; ${facts.typed('diff')} shows them, ${facts.typed('apply')} brings them in`,
      ],
    );
  if (facts.error !== null) rows.push(['Last error', cut(oneLine(facts.error), MAX_OF_ERROR)]);
  rows.push(['Kept in', inLine(join(workspace, '.agent_context'))]);
  if (origin === 'own' && mayAnswer(facts.standing)) rows.push(...waitingRows(facts));
  if (resume !== null) rows.push(['Resume', resume]);
  const table = rows.map(([name, value]) => `${style.paint('dim', name.padEnd(11))}${value}`);
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
const waitingRows = ({ state, standing, agent }: StatusFacts): [string, string][] =>
  (state.permissions?.open ?? []).flatMap((request): [string, string][] => {
    const said = request.id.slice(0, 8);
    return [
      ['Asks for', cut(visible(callLabel(request)), 200)],
      ['Say yes', `${agent} approve ${said}`],
      ...(standing === 'running'
        ? [['Say no', `${agent} deny ${said}`] satisfies [string, string]]
        : []),
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

function usageRows(usage: RunState['usage']): [string, string][] {
  const { total, last } = usage;
  const classes = classesText(total);
  const cost = costText(usage);
  return [
    ['Model use', `${tokensText(total)}, ${duration(total.modelMs)} of model time`],
    ...(classes === '' ? [] : [['', classes] satisfies [string, string]]),
    ...(last === null ? [] : [['Last turn', describeUsage(last)] satisfies [string, string]]),
    ...(cost === '' ? [] : [['Cost', cost] satisfies [string, string]]),
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
