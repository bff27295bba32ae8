/** Shows the plan to the person at the terminal before any work: yes, edit it, no. */
import { answeredElsewhere } from '../../round/permission/person.ts';
import type { AskPlan, PlanAnswer, PlanQuestion } from '../../round/plan/plan-review.ts';
import type { Terminal } from '../process/terminal.ts';
import { briefText, isWorthShowing } from '../render/records/brief.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle, type Style } from '../render/text/style.ts';
import { inLine, oneLine } from '../render/text/text.ts';
import { planTree } from '../render/work/plan-tree.ts';
import { explainError } from '../show-error.ts';
import { pressedKey, quietKeys, REFUSING_KEYS, untilSettled } from './quiet-keys.ts';

type Port = Pick<Terminal, 'stderr' | 'clock' | 'keys' | 'edit' | 'env' | 'platform' | 'program'>;

/**
 * @param hold hides what is redrawn until the returned function is called
 * @param isBriefShown whether the screen already shows how the goal was read
 */
export const askPlanAtTerminal =
  (terminal: Port, hold: () => () => void, isBriefShown: () => boolean): AskPlan =>
  async (question, signal) => {
    const release = hold();
    try {
      const style = createStyle(terminal, terminal.stderr);
      printFolded(
        terminal.stderr,
        `${questionLines(isBriefShown() ? { ...question, brief: null } : question, terminal.edit !== undefined, style).join('\n')}\n`,
      );
      for (;;) {
        terminal.stderr.write('> ');
        const answer = await pressed(question, terminal, signal);
        if (answer !== 'edit') return answer;
        const text = await editedText(question, terminal);
        if (signal.aborted) {
          printFolded(
            terminal.stderr,
            `${answeredElsewhere(signal) ?? 'Not answered'}: what you edited is not used.\n`,
          );
          return { kind: 'none' };
        }
        if (text !== null) return text.trim() === '' ? { kind: 'no' } : { kind: 'edited', text };
      }
    } finally {
      release();
    }
  };

/** The edited text; `null` if the editor failed: the question stays. */
async function editedText({ text }: PlanQuestion, terminal: Port): Promise<string | null> {
  try {
    return (await terminal.edit?.(text, 'plan.md')) ?? '';
  } catch (error) {
    const { message, hint } = explainError(error, terminal.program);
    printFolded(terminal.stderr, `${oneLine(`${message} ${hint}`)}\n`);
    return null;
  }
}

function questionLines(
  { goal, brief, plan, fault }: PlanQuestion,
  canEdit: boolean,
  style: Style,
): readonly string[] {
  const edit = canEdit ? ['  e  edit it in your editor'] : [];
  if (fault !== '')
    return [`That is not a plan yet. ${oneLine(fault)}`, ...edit, '  n  no (Enter)'];
  return [
    style.paint('strong', `Plan for: ${oneLine(goal)}`),
    ...(brief !== null && isWorthShowing(brief) ? [inLine(briefText(brief))] : []),
    ...planLines(plan, style),
    'Use this plan?',
    '  y  yes',
    ...edit,
    '  n  no (Enter)',
  ];
}

/** Shows the proof as a person would type it. */
export const planLines = (plan: PlanQuestion['plan'], style: Style): readonly string[] => [
  ...planTree(plan, style.glyphs).map(({ text, tone }) => style.paint(tone, text)),
  ...(plan.proof === undefined ? ['  proof: none; the end will not be called proved'] : []),
];

async function pressed(
  { fault }: PlanQuestion,
  terminal: Port,
  signal: AbortSignal,
): Promise<PlanAnswer | 'edit'> {
  if (signal.aborted || terminal.keys === undefined) return { kind: 'none' };
  const said = await untilSettled<'yes' | 'edit' | 'no'>(signal, (settle) =>
    quietKeys(terminal, (key, isQuiet) => {
      if (!isQuiet) return;
      const letter = pressedKey(key).toLowerCase();
      if (letter === 'y' && fault === '') settle('yes');
      else if (letter === 'e' && terminal.edit !== undefined) settle('edit');
      else if (REFUSING_KEYS.has(letter)) settle('no');
    }),
  );
  terminal.stderr.write(`${said ?? answeredElsewhere(signal) ?? '(not answered)'}\n`);
  return said === 'edit' ? said : { kind: said ?? 'none' };
}
