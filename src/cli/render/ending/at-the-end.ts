import type { RunView } from '../../screen/view.ts';
import { renderedLine, type ShownLine } from '../text/line.ts';
import { oneLine } from '../text/text.ts';

/** Pure: messages of a person and what became of them, if the result does not show it. */
export function atTheEnd(
  { waiting, sentToModel }: Pick<RunView, 'waiting' | 'sentToModel'>,
  unsent: { readonly lines: readonly string[]; readonly line: string },
): readonly ShownLine[] {
  const line = (text: string): ShownLine => renderedLine(text, 'warning');
  const typed = [...unsent.lines, unsent.line].filter((text) => text.trim() !== '');
  return [
    ...sentToModel.map((text) =>
      line(`You said: ${oneLine(text)} (sent to the model; nothing proves it)`),
    ),
    ...waiting.map((text) => line(`Not yet sent to the model: ${oneLine(text)}`)),
    ...typed.map((text) => line(`Typed but not sent: ${oneLine(text)}`)),
  ];
}
