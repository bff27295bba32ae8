/** Writes a plan as Markdown for a person to read and edit; `readPlanText` parses it again. Pure. */
import type { Plan, Proof, Subtask } from '../../schema/plan.ts';
import type { PlannableTool } from '../plan-schema.ts';

const HOW = `<!--
Change what you like, save and close. "## " begins a task, "- " a subtask of it; below a subtask may stand
  - does: TOOL TARGET
  - file: PATH
  - done when: WORDS
"# Proof" holds the command that shows that the goal is reached; "prints:" below it is the output it must have.
-->`;

export const planText = (plan: Plan, tools: readonly PlannableTool[]): string =>
  [HOW, planBody(plan, tools)].join('\n\n');

/** The same without explanations. */
export function planBody({ tasks, proof }: Plan, tools: readonly PlannableTool[]): string {
  const parts = [
    '# Plan',
    ...tasks.map(({ description, subtasks }) => {
      const lines = subtasks.flatMap((one) => subtaskLines(one, tools));
      return [`## ${closed(escaped(description))}`, '', ...lines].join('\n');
    }),
    ...(proof === undefined ? [] : [proofText(proof)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Adds a `#` to a heading that ends with one, because Markdown drops the last. */
const closed = (heading: string): string => (/ #+$/.test(heading) ? `${heading} #` : heading);

function subtaskLines(
  { purpose, step, files = [], done_when, independent }: Subtask,
  tools: readonly PlannableTool[],
): readonly string[] {
  const argument = tools.find(({ name }) => name === step?.action)?.argument;
  const others = Object.entries(step?.args ?? {}).filter(([name]) => name !== argument);
  return [
    `- ${escaped(purpose)}`,
    ...(step === undefined ? [] : [`  - does: ${step.action} ${joinedLines(step.target)}`]),
    ...(others.length === 0 ? [] : [`  - with: ${JSON.stringify(Object.fromEntries(others))}`]),
    ...files.map((file) => `  - file: ${joinedLines(file)}`),
    ...(done_when === undefined ? [] : [`  - done when: ${joinedLines(done_when)}`]),
    ...(independent ? ['  - independent: yes'] : []),
  ];
}

const proofText = ({ cmd, prints, stdin }: Proof): string =>
  [
    '# Proof',
    '',
    `- ${escaped(cmd)}`,
    ...(stdin === undefined ? [] : [`  - stdin: ${JSON.stringify(stdin)}`]),
    ...(prints === undefined ? [] : [`  - prints: ${JSON.stringify(prints)}`]),
  ].join('\n');

/** The lines joined into one. Spaces within a line stay, because they matter in commands. */
export const joinedLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');

/** Puts a backslash before a character that would start something else in Markdown. */
export const escaped = (text: string): string => {
  const line = joinedLines(text);
  return /^(?:[\\#>+*~`|=[<_-]|\d+[.)])/.test(line) ? `\\${line}` : line;
};
