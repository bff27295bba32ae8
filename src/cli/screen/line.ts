import { MAX_LINE } from '../../schema/inbox.ts';
import { sanitize } from '../render/text.ts';
import type { Key } from './keys.ts';

/** Pure: the line that is being typed, after one more key. */
export function typed(line: string, key: Key): string {
  switch (key.kind) {
    case 'text':
      return (line + sanitize(key.text)).replace(/^\n+/, '').slice(0, MAX_LINE);
    case 'backspace':
      return withoutLast(line);
    case 'clear_line':
      return '';
    case 'delete_word':
      return line.replace(/\S*\s*$/u, '');
    default:
      return line;
  }
}

/** What a person sees as one character. */
function withoutLast(line: string): string {
  const last = [...new Intl.Segmenter().segment(line.slice(-64))].at(-1)?.segment ?? '';
  return line.slice(0, line.length - last.length);
}
