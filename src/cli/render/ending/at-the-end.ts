import type { RunView } from '../../screen/view.ts';
import { type Line, lineOf } from '../text/line.ts';
import { oneLine } from '../text/text.ts';

/** Pure: what a person said and what became of it, where that is not seen in the result. */
export function atTheEnd(
  { waiting, sentToModel }: Pick<RunView, 'waiting' | 'sentToModel'>,
  unsent: { readonly lines: readonly string[]; readonly line: string },
): readonly Line[] {
  const line = (text: string): Line => lineOf(text, 'warning');
  const typed = [...unsent.lines, unsent.line].filter((text) => text.trim() !== '');
  return [
    ...sentToModel.map((text) =>
      line(`You said: ${oneLine(text)} (sent to the model; nothing proves it)`),
    ),
    ...waiting.map((text) => line(`Not yet sent to the model: ${oneLine(text)}`)),
    ...typed.map((text) => line(`Typed but not sent: ${oneLine(text)}`)),
  ];
}
