/** Shortens text for the model, keeping its beginning and end. Pure. */
import type { ToolResult } from '../schema/actions.ts';
import type { ToolContext } from './contract.ts';
import { wholeCharacter } from './search/rows.ts';

/** How far a cut may move so that it falls between two lines, in characters. */
const LINE_SEARCH = 200;

/**
 * Cuts `text` in the middle so that it has at most `maxChars` characters including the marker.
 * @param hint further text for the marker, given where the cut begins; never longer than for the end of the
 * text
 */
export function truncateMiddle(
  text: string,
  maxChars: number,
  hint: (at: number) => string = () => '',
): string {
  if (text.length <= maxChars) return text;
  const room = Math.max(0, maxChars - markerFor(text, hint(text.length)).length);
  const head = lineEndBefore(text, Math.ceil(room * 0.6));
  const tail = lineStartAfter(text, text.length - (room - Math.ceil(room * 0.6)));
  return text.slice(0, head) + markerFor(text.slice(head, tail), hint(head)) + text.slice(tail);
}

/** A result without secrets, of which the model is sent as much as fits. */
export function fittingResult(
  result: ToolResult,
  { maxResultChars, withoutKeys }: Pick<ToolContext, 'maxResultChars' | 'withoutKeys'>,
): ToolResult {
  const whole = withoutKeys?.(result.content) ?? result.content;
  const content = truncateMiddle(whole, maxResultChars);
  return content === whole ? { ...result, content } : { ...result, content, fullContent: whole };
}

function markerFor(left: string, hint: string): string {
  const lines = left.split('\n').length - 1;
  const note = hint === '' ? '' : `; ${hint}`;
  return `\n[... ${left.length} characters (${lines} lines) left out${note} ...]\n`;
}

function lineEndBefore(text: string, position: number): number {
  const newline = text.lastIndexOf('\n', position - 1);
  return newline >= position - LINE_SEARCH && newline > 0
    ? newline
    : wholeCharacter(text, position);
}

function lineStartAfter(text: string, position: number): number {
  const newline = text.indexOf('\n', position);
  return newline >= 0 && newline < position + LINE_SEARCH && newline + 1 < text.length
    ? newline + 1
    : wholeCharacter(text, position + 1) || position;
}
