import { driverOf } from '../../drivers/driver-of.ts';
import { trialWords } from '../../evidence/trials/trial-words.ts';
import { PROVIDER_NAMES, rowOf } from '../../host/providers/providers.ts';
import type { CandidateName } from '../../schema/events/events.ts';
import type { DamagedSpan } from '../../schema/journal/damage.ts';
import { type Usage, withHint } from '../../schema/model/turn.ts';
import { type Check, type Proof, type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { RecordOf, Stamped } from '../../schema/records.ts';
import type { StoredText } from '../../schema/text.ts';
import { briefText } from './brief.ts';
import {
  candidateName,
  formatApprover,
  formatCandidate,
  formatParts,
  formatPlanAuthor,
  parentText,
  workerText,
} from './record-parts.ts';
import { count, duration, oneLine, plural } from './text.ts';

/** Pure: one journal record as one readable line, without its place and time. */
export function describeRecord(record: Stamped): string {
  switch (record.type) {
    case 'run_opened':
      return `goal: ${oneLine(record.goal)}${parentText(record)}`;
    case 'settings_changed':
      return `${record.provider} ${record.model}${profileText(record.profile)}, ${driverOf(record).mode} mode, window ${count(record.numCtx)} tokens (${oneLine(record.why)})`;
    case 'message_added':
      return `to the model (${record.cause}): ${messageText(record)}`;
    case 'goal_cut':
      return plural(record.parts.length, 'part');
    case 'brief_made':
      return oneLine(briefText(record.brief));
    case 'plan_set':
    case 'replanned':
      return `${record.plan.tasks.length} tasks, ${subtasksOf(record.plan).length} subtasks${record.plan.fallback ? ', fallback' : ''}${formatPlanAuthor(record)} (${oneLine(record.why)})`;
    case 'subtask_started':
      return record.subtask;
    case 'round_started':
      return `round ${record.n} for ${record.subtask} (${record.origin})`;
    case 'turn_finished':
      return describeTurn(record);
    case 'rewound':
      return `messages from ${record.fromSeq} on taken out: ${oneLine(record.why)}`;
    case 'branched':
      return `side conversation ${record.at === 'open' ? 'opened' : 'closed'}: ${oneLine(record.why)}`;
    case 'action_intended':
      return `${record.id} ${describeCall(record.tool, record.args)}`;
    case 'action_started':
      return `${record.id} process ${record.pid}`;
    case 'action_finished':
      return `${record.id} ${record.tool} ${record.status}${took(record.facts.durationMs)}: ${oneLine(headOf(record.result))}`;
    case 'check_ran':
      return `${record.scratch ? `copy (${record.scratch.what})` : record.proof ? 'proof' : `check of ${record.subtask}`} ${record.passed ? 'passed' : 'failed'}: ${describeCheck(record.check)}`;
    case 'subtask_finished':
      return `${record.subtask} ${record.status}: ${oneLine(record.summary)}`;
    case 'try_ended':
      return oneLine(record.why);
    case 'replan_started':
      return `number ${record.n}: ${oneLine(record.why)}`;
    case 'compaction_started':
      return `messages ${record.fromSeq} to ${record.toSeq} (${record.method})`;
    case 'compacted':
      return record.cut
        ? `${record.cut.length} long messages cut`
        : `messages ${record.fromSeq} to ${record.toSeq} shortened to ${count(lengthOf(record.text))} characters`;
    case 'person_said':
      return oneLine(headOf(record.text)) + formatParts(record);
    case 'approval_asked':
      return `${record.id}: ${oneLine(record.question)}`;
    case 'permission_noted':
      return `${oneLine(record.tool)} ${oneLine(record.target)}: ${oneLine(record.reason)}`;
    case 'builds_taken':
      return plural(Object.keys(record.texts).length, 'text');
    case 'sandbox_looked':
      return `${record.mode}: ${record.holds ? `held by ${oneLine(record.what)}` : oneLine(record.what)}`;
    case 'approval_given':
      return `${record.id} ${record.allowed ? 'allowed' : 'denied'}: ${oneLine(record.why)}${formatApprover(record)}`;
    case 'adopted':
      return adoptedText(record);
    case 'format_raised':
      return `from format ${record.from} to ${record.to}`;
    case 'files_kept':
      return `${plural(record.files, 'file')} kept before a command${leftText(record.left?.count ?? 0)}`;
    case 'files_changed':
      return `${record.by === 'command' ? `by ${record.id}` : 'by nobody knows whom'}: ${changedText(record)}`;
    case 'server_started':
      return `${oneLine(record.server)}, process ${record.pid}`;
    case 'server_ended':
      return oneLine(record.server);
    case 'background_started':
      return `${record.id} ${oneLine(record.cmd)}, process ${record.pid}`;
    case 'background_ended':
      return `${record.id} ${record.how}${record.exitCode == null ? '' : `, exit code ${record.exitCode}`}`;
    case 'undo_started':
      return `${record.files.length} files`;
    case 'file_restored':
      return `${oneLine(record.path)} ${restoredWords(record)}`;
    case 'undo_finished':
      return 'all files put back';
    case 'swap_started':
      return `${plural(record.files.length + (record.more?.count ?? 0), 'file')} to ${SIDES[record.to]}`;
    case 'file_swapped':
      return `${oneLine(record.path)} ${record.skipped === '' ? 'swapped' : `left alone: ${oneLine(record.skipped)}`}`;
    case 'swap_finished':
      return 'all files swapped';
    case 'bytes_unreadable':
      return record.spans.map(spanText).join(', ');
    case 'bytes_set_aside':
      return `${record.bytes} bytes from byte ${record.at} on are in quarantine/${oneLine(record.file)}`;
    case 'note':
      return `${record.kind} ${oneLine(JSON.stringify(record.data))}`;
    case 'lease_taken':
      return `by version ${record.version}${workerText(record)}`;
    case 'run_resumed':
      return `by version ${record.version}`;
    case 'file_candidate_shown':
      return `${candidateName(record)}: ${formatCandidate(record)}`;
    case 'file_candidate_taken':
      return `${candidateName(record)}: ${oneLine(record.why)}`;
    case 'limits_set':
      return limitsText(record);
    case 'wait_started':
      return `${duration(record.ms)}: ${oneLine(record.why)}`;
    case 'wait_ended':
      return 'over';
    case 'candidate_failed':
      return `${oneLine(record.provider)} ${oneLine(record.model)}${profileText(record.profile)} cannot be used: ${record.status.kind}`;
    case 'run_paused':
      return `${record.why}: ${oneLine(withHint(record))}`;
    case 'message_ended':
      return `${record.ending}${record.detail === '' ? '' : `: ${oneLine(withHint(record))}`}`;
    case 'command_used':
      return `/${record.command} ${oneLine(headOf(record.text))}`.trim();
    case 'session_cleared':
      return `goes on as ${record.next}`;
    case 'verdict_given':
      return `${record.isProved ? 'known' : 'in doubt'}: ${oneLine(record.words)}`;
    case 'run_finished':
      return `${record.ending}: ${oneLine(record.detail)}`;
    default:
      // A record of a newer version that marked itself optional.
      return oneLine(JSON.stringify(record satisfies never));
  }
}

function limitsText(limits: RecordOf<'limits_set'>): string {
  const { maxRounds, maxTokens, maxCost, maxTimeMs } = limits;
  const said = [
    maxRounds === undefined ? '' : plural(maxRounds, 'round'),
    maxTokens === undefined ? '' : `${count(maxTokens)} tokens`,
    maxCost === undefined ? '' : `$${maxCost}`,
    maxTimeMs === undefined ? '' : duration(maxTimeMs),
  ];
  return `at most ${said.filter(Boolean).join(', ')}`;
}

function adoptedText({ dropped: { addresses, grants } }: RecordOf<'adopted'>): string {
  const dropped = [...addresses, ...grants].map(oneLine).join(', ');
  return `taken over by a person${dropped === '' ? '' : `; dropped: ${dropped}`}`;
}

const leftText = (count: number): string => (count === 0 ? '' : `, ${count} not`);

function changedText({ files, more, uncovered = [] }: RecordOf<'files_changed'>): string {
  const names = [...files, ...uncovered].map(({ path }) => oneLine(path));
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 || more !== undefined ? `${shown}, …` : shown;
}

const messageText = ({ text, resultOf }: Extract<Stamped, { type: 'message_added' }>): string =>
  text === undefined ? `the result of record ${resultOf}` : oneLine(headOf(text));

function describeTurn(record: Extract<Stamped, { type: 'turn_finished' }>): string {
  const tokens = describeUsage(record.usage);
  const trouble = record.status.kind === 'success' ? '' : `: ${oneLine(withHint(record))}`;
  const attempt = record.attempt > 1 ? `, attempt ${record.attempt}` : '';
  return `turn ${record.turn}${attempt}, ${record.purpose}, ${record.status.kind}, ${tokens}${trouble}`;
}

const SIDES = { before: 'what was there before the run', run: 'what the run made' } as const;

const restoredWords = ({ skipped, hash }: RecordOf<'file_restored'>): string =>
  skipped === '' ? (hash === null ? 'removed' : 'put back') : `left alone: ${oneLine(skipped)}`;

/** `812 tokens in, 96 out, 2.4 s`. */
export function describeUsage(usage: Usage): string {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return `${count(prompt)} tokens in, ${count(usage.output + usage.thinking)} out, ${duration(usage.modelMs)}`;
}

/** ` (ANTHROPIC_API_KEY_2)`; '' where there is only one way to the model. */
export const profileText = (profile: string | undefined): string =>
  profile === undefined || profile === 'default' ? '' : ` (${oneLine(profile)})`;

export const candidateText = ({ provider, model, profile }: CandidateName): string =>
  oneLine(`${provider} ${model}${profileText(profile)}`);

const spanText = ({ from, to }: DamagedSpan): string =>
  `bytes ${from} to ${to} of the journal cannot be read`;

const took = (ms: number | undefined): string => (ms === undefined ? '' : ` (${duration(ms)})`);

export const headOf = (text: StoredText): string => (typeof text === 'string' ? text : text.head);

const lengthOf = (text: StoredText): number => text.length;

/** A tool call as a person would write it: `run_cmd node hello.js`. */
export function describeCall(tool: string, args: { readonly [name: string]: unknown }): string {
  const target = targetIn(args);
  return `${oneLine(tool)}${target === null ? '' : ` ${oneLine(target)}`}`;
}

/** The command, file or text that a call is about. */
export function targetIn(args: { readonly [name: string]: unknown }): string | null {
  const target = args.cmd ?? args.path ?? args.query ?? args.pattern;
  return typeof target === 'string' ? target : null;
}

/** `write hello.js` for a step of the tool `write_file`. */
export function describeStep({ step, purpose }: Pick<Subtask, 'step' | 'purpose'>): string {
  if (!step) return oneLine(purpose);
  const [verb = step.action] = step.action.split('_', 1);
  return `${oneLine(verb)} ${oneLine(step.target)}`;
}

export function describeCheck(check: Check | Proof): string {
  if (!('type' in check)) return `${oneLine(check.cmd)}${prints(check.prints)}`;
  switch (check.type) {
    case 'file_exists':
      return `${oneLine(check.path)} exists`;
    case 'file_contains':
      return `${oneLine(check.path)} contains "${oneLine(check.text)}"`;
    case 'command_succeeds':
      return `${oneLine(check.cmd)}${prints(check.prints)}`;
    case 'goal_example':
      return `the goal says ${oneLine(check.says)}`;
    default:
      return check satisfies never;
  }
}

const prints = (text: string | undefined): string =>
  text === undefined ? ' succeeds' : ` prints "${oneLine(text)}"`;

/** `qwen3:8b · ollama · 16k`, and why it is no longer what it was. */
export function modelText(record: RecordOf<'settings_changed'>): string {
  const window = `${Math.round(record.numCtx / 1024)}k`;
  const profile = profileText(record.profile);
  const [model, provider] = [modelName(record.model), spelled(oneLine(record.provider))];
  return `${model} \u00b7 ${provider}${profile} \u00b7 ${window}`;
}

/** As it spells itself: `Ollama`. */
const spelled = (provider: string): string =>
  PROVIDER_NAMES.map((name) => rowOf(name).label).find(
    (label) => label.toLowerCase() === provider,
  ) ?? provider;

/** Of a model that is a file, its name is enough. */
const modelName = (model: string): string =>
  oneLine(model.split(/[\\/](?=[^\\/]*\.gguf$)/).at(-1) ?? model);

/** What the copy differed in, and how it ended: there a failure may be what was hoped for. */
export function scratchText({ check, passed, scratch }: RecordOf<'check_ran'>): string {
  const how = scratch ? oneLine(trialWords(scratch)) : '';
  const ran = 'cmd' in check ? oneLine(check.cmd) : describeCheck(check);
  return `${how}: ${ran} ${passed ? 'passes' : 'fails'}`;
}
