/** Words of the golden conversations: what a model answers, and what a person says. */
import { answerText, choiceText } from '../../src/llm/tool-modes/choice.ts';
import type { TurnStatus } from '../../src/schema/model/turn.ts';
import type { Deed, GoldenTalk, Way } from './golden-talk.ts';
import type { ScriptedCall, ScriptedReply } from './scripted-provider.ts';

export { answerText };

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });

export const read = (path: string) => call('read_file', { path });
export const write = (path: string, content: string) => call('write_file', { path, content });
export const edit = (path: string, old_text: string, new_text: string) =>
  call('edit_file', { path, old_text, new_text });
export const run = (cmd: string) => call('run_cmd', { cmd });

export const calls = (...all: readonly ScriptedCall[]): ScriptedReply => ({ calls: all });
/** Where the model is held to a schema a change of a file that was there asks. */
export const MAY_EDIT = { allow: ['edit(**)'] } as const;

export const held = (name: string, args: Record<string, unknown>): string =>
  choiceText({ name, args });
export const text = ({ name, args }: ScriptedCall): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
export const fails = (kind: TurnStatus): ScriptedReply => ({ fails: kind });

export const SAY = 'console.log("said")\n';

export const talk = (
  name: string,
  way: Way,
  rest: Omit<GoldenTalk, 'name' | 'way' | 'shows'> & Partial<Pick<GoldenTalk, 'shows'>>,
): GoldenTalk => ({ name, way, shows: [], ...rest });

export const say = (...all: readonly string[]): readonly Deed[] => all.map((one) => ({ say: one }));
