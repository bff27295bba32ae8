/** Pure: translates a question for the person into the editor's form, and the editor's reply into an answer. */
import type { PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { isVisible, visible } from '../../lib/text/visible.ts';
import { ruleInWords, typedCommand } from '../../policy/rules/say.ts';
import type { AskAnswer } from '../../round/permission/answer.ts';
import type { PermissionQuestion } from '../../round/permission/person.ts';
import { PLAN_QUESTION } from '../../round/plan/plan-question.ts';
import { BY_EDITOR, FOLDER_QUESTION } from '../../schema/journal/permissions.ts';
import { callView } from '../../tools/call-view.ts';

export type PermissionPrompt = Pick<RequestPermissionRequest, 'toolCall' | 'options'>;

/** Asks the person; resolves with the chosen option, or with `null` if the question was withdrawn. */
export type Choose = (asked: PermissionPrompt, signal: AbortSignal) => Promise<string | null>;

/** @param call the id of the call in the editor. @param work what "for this" refers to: `run`, `conversation` */
export function askedOf(
  question: PermissionQuestion,
  call: string,
  work: string,
): PermissionPrompt {
  const { tool, input, target, argv } = question;
  const isFolder = tool === FOLDER_QUESTION;
  const { kind, title } = callView(tool, input);
  const isPlan = tool === PLAN_QUESTION;
  const whole = argv === null ? visible(target) : typedCommand(argv);
  return {
    toolCall: {
      toolCallId: call,
      title: isPlan ? 'Use this plan?' : isFolder ? `Run programs of ${visible(target)}` : title,
      kind: isPlan ? 'think' : isFolder ? 'execute' : kind,
      status: 'pending',
      content: [
        {
          type: 'content',
          content: { type: 'text', text: linesOf(question, isFolder ? '' : whole).join('\n\n') },
        },
      ],
      rawInput: input,
    },
    options: optionsFor(question, work),
  };
}

/** The exact action, with nothing hidden. */
function linesOf(question: PermissionQuestion, whole: string): readonly string[] {
  const { tool, reason, folder, program, inputText, target, argv } = question;
  // Only a plan and a patch keep their line breaks; a patch has invisible characters written out already.
  const isPatch = inputText?.startsWith('--- ') === true;
  const hasLines = tool === PLAN_QUESTION;
  const inputLines =
    inputText === undefined || isPatch ? [] : hasLines ? inputText.split('\n') : [inputText];
  const isAllSeen = [target, folder, ...inputLines, ...(argv ?? [])].every(isVisible);
  return [
    visible(reason),
    ...(whole === '' ? [] : [fenced(whole)]),
    ...(isPatch ? [fenced(inputText)] : []),
    ...(inputLines.length === 0 ? [] : [fenced(inputLines.map(visible).join('\n'))]),
    ...(folder === ''
      ? []
      : [`In ${visible(folder)}${program === null ? '' : `, by ${visible(program)}`}.`]),
    ...(isAllSeen ? [] : ['Some of its characters cannot be seen: they are written out here.']),
  ];
}

/** Text in a code block that no Markdown inside it can end. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function optionsFor(
  { offered, tool, isForRunOnly }: PermissionQuestion,
  work: string,
): PermissionOption[] {
  const [isFolder, isPlan] = [tool === FOLDER_QUESTION, tool === PLAN_QUESTION];
  const rules = offered.map((rule) => visible(ruleInWords(rule))).join(', ');
  const kept: PermissionOption[] = [
    { optionId: 'run', name: `Yes, for this ${work}: ${rules}`, kind: 'allow_always' },
    ...(isForRunOnly ? [] : [always(rules)]),
  ];
  const once = isFolder ? 'Yes, until one of them changes' : isPlan ? 'Yes' : 'Yes, this once';
  return [
    { optionId: 'once', name: once, kind: 'allow_once' },
    ...(offered.length === 0 ? [] : kept),
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
}

const always = (rules: string): PermissionOption => ({
  optionId: 'always',
  name: `Yes, always in this folder: ${rules}`,
  kind: 'allow_always',
});

/** Only an offered option counts as a yes. */
export function answerBy(option: string | null, { offered }: PermissionQuestion): AskAnswer {
  if (option === null) return 'none';
  if (option === 'once') return { kind: 'once', ...BY_EDITOR };
  if (offered.length > 0 && (option === 'run' || option === 'always'))
    return { kind: option, ...BY_EDITOR };
  return { kind: 'no', why: '', ...BY_EDITOR };
}
