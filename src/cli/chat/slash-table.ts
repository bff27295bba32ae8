/** The list of all slash commands. */

import { visible } from '../../lib/text/visible.ts';
import { typedRule } from '../../policy/words-of.ts';
import { MEMORY_FILE } from '../../prompts/instructions.ts';
import type { Calling } from '../../schema/driver.ts';
import { toolLabel } from '../../shown/calls.ts';
import { patchOf } from '../../undo/patch.ts';
import { patchText } from '../commands/diff.ts';
import { planCommand } from '../commands/plan.ts';
import { foldToWidth } from '../render/text/fold.ts';
import { createStyle } from '../render/text/style.ts';
import { oneLine, plural } from '../render/text/text.ts';
import { workOnGoal } from './goal.ts';
import { undoOfRun } from './off.ts';
import { ownChoices, ownCommandsIn } from './own-commands.ts';
import { helpText, type SlashPlace, type SlashTable } from './slash.ts';
import { allowedIn, compactConversation, showCost, showStatus } from './standing.ts';

export const SLASH: SlashTable = {
  goal: {
    takes: '[GOAL]',
    about: 'work on a goal, or resume the paused one; the model hears the result',
    run: (text, place) => workOnGoal(text, place),
  },
  plan: { about: 'show the plan of the run of this folder', run: (_, place) => showPlan(place) },
  model: {
    takes: '[NAME]',
    about: 'show the model, or go on with another',
    run: (text, place) => (text === '' ? showModel(place) : place.switchModel(text)),
  },
  undo: {
    about: 'put back what the last message changed in files',
    run: (_, place) => undo(place),
  },
  diff: {
    about: 'show what the conversation changed in files',
    run: (_, place) => showDiff(place),
  },
  approve: {
    takes: '[RULE]',
    about: 'allow what was asked for last, or a rule: git commit *',
    run: approve,
  },
  tools: { about: 'list what the model may call', run: (_, place) => showTools(place) },
  memory: {
    takes: 'TEXT',
    about: `append a line to ${MEMORY_FILE}; it counts from the next session on`,
    run: remember,
  },
  commit: { takes: 'MESSAGE', about: 'git add -A, and git commit with the message', run: commit },
  compact: {
    about: 'sum up what was said so far, all but the last exchange',
    run: compactConversation,
  },
  thinking: {
    about: 'show what the model thinks, or hide it again',
    run: (_, place) =>
      place.say(place.toggleThoughts() ? 'Thoughts are shown.' : 'Thoughts are hidden.'),
  },
  cost: { about: 'show what this conversation has taken so far', run: showCost },
  status: { about: 'show folder, model, rules and context', run: showStatus },
  clear: { about: 'begin a new conversation; this one is kept', run: (_, place) => place.clear() },
  help: { about: 'show this', run: (_, place) => showHelp(place) },
  quit: { about: 'leave', run: (_, place) => place.leave() },
  exit: { about: 'leave', isAlias: true, run: (_, place) => place.leave() },
  q: { about: 'leave', isAlias: true, run: (_, place) => place.leave() },
};

/** Names that no user's or project's command may take. */
export const OWN_NAMES: ReadonlySet<string> = new Set(Object.keys(SLASH));

function showHelp({ context, show }: SlashPlace): void {
  const own = ownChoices(ownCommandsIn(context, OWN_NAMES).commands);
  show(foldToWidth(helpText(SLASH, own), context.terminal.stdout.size().columns - 1));
}

async function showPlan({ context, hold }: SlashPlace): Promise<void> {
  const release = hold();
  try {
    const invocation = { ...context.invocation, command: 'plan', runNumber: null } as const;
    await planCommand({ ...context, invocation });
  } finally {
    release();
  }
}

const CALLING: { readonly [way in Calling]: string } = {
  wire: 'calls tools',
  held: 'answers in JSON, one action at a time',
  text: 'writes its calls as text',
};

function showModel({ session, say }: SlashPlace): void {
  const { settings } = session().state;
  if (settings === null) {
    say('No model is chosen yet.');
    return;
  }
  const calls = CALLING[settings.calling ?? 'text'];
  say(
    `${settings.provider} ${oneLine(settings.model)}, window ${settings.numCtx} tokens, ${calls}`,
  );
}

async function undo({ context, session, say, runInterruptibly }: SlashPlace): Promise<void> {
  const report = await runInterruptibly(session().undoing());
  if (report === null) {
    say('There is nothing left to undo.');
    const ofRun = undoOfRun(context);
    return ofRun === '' ? undefined : say(`What the last run changed: ${ofRun}`);
  }
  for (const path of report.restored) say(`put back: ${visible(path)}`);
  for (const path of report.removed) say(`removed: ${visible(path)}`);
  for (const { path, why } of report.leftAlone)
    say(`left alone: ${visible(path)}, ${oneLine(why)}`);
  for (const { path } of report.byCommands?.uncovered ?? [])
    say(`not kept, so not put back: ${visible(path)}`);
}

async function showDiff({
  context,
  session,
  show,
  say,
  runInterruptibly,
}: SlashPlace): Promise<void> {
  const { terminal } = context;
  const style = createStyle(terminal, terminal.stdout);
  let seen = 0;
  for (const difference of await runInterruptibly(session().readingChanges())) {
    seen += 1;
    show(patchText(await patchOf(difference), MAX_LINES, style, terminal.program));
  }
  if (seen === 0) say('The conversation has changed no file.');
}

const MAX_LINES = 200;

function approve(text: string, { session, say, giver }: SlashPlace): void {
  if (text !== '') {
    say(`Allowed in this session: ${typedRule(session().allow(text, giver))}`);
    return;
  }
  const [last] = (session().state.permissions?.open ?? []).slice(-1);
  if (last !== undefined && last.rules.length > 0) {
    for (const rule of last.rules)
      say(`Allowed in this session: ${typedRule(session().allow(rule, giver))}`);
    return;
  }
  const allowed = allowedIn(session().state);
  say(allowed === '' ? 'Nothing waits for a yes.' : `Allowed: ${allowed}`);
}

function showTools({ session, show }: SlashPlace): void {
  const lines = session().tools.map(
    ({ name, description }) => `${toolLabel(name)}: ${description.split(/(?<=\.)\s/)[0] ?? ''}`,
  );
  show(lines.map(oneLine).join('\n'));
}

function remember(text: string, { session, say }: SlashPlace): void {
  const { isLong, isTold } = session().remember(text);
  say(
    isTold
      ? `Remembered in ${MEMORY_FILE}; it counts from the next session on.`
      : `Written to ${MEMORY_FILE}, but the model does not read that file here.`,
  );
  if (isLong) say(`${MEMORY_FILE} is longer than 64 KB: its oldest lines are not told any more.`);
}

async function commit(text: string, { session, say, show, signal }: SlashPlace): Promise<void> {
  const { outcome, output, hooks } = await session().commit(text, signal);
  if (outcome === 'nothing') return say('Nothing to commit.');
  show(output.trimEnd());
  if (hooks.length > 0)
    say(`${plural(hooks.length, 'hook')} of the repository ran: ${hooks.join(', ')}`);
  if (outcome === 'failed') say('The commit failed.');
}
