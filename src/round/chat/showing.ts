/** Shows an answer to the person while it arrives: text and thinking, never the JSON around them. */
import { choiceReader } from '../../llm/tool-modes/choice-reader.ts';
import type { ModelEvent } from '../../schema/model/turn.ts';
import { toolThat } from '../../tools/toolset.ts';
import { forward } from '../ask.ts';
import type { RequestKind } from './asking.ts';
import type { ConversationPorts } from './conversation.ts';

export interface Showing {
  show(event: ModelEvent): void;
  /** The part of the text that was not shown yet, once the text is known. */
  rest(words: string): void;
}

export function showingOf(asking: RequestKind, live: ConversationPorts): Showing {
  let shown = '';
  const say = (text: string): void => {
    shown += text;
    if (text !== '') live.emit({ type: 'text', text });
  };
  const words = textOf(asking, live, say);
  return {
    show: (event) => {
      if (event.type === 'text') words(event.text);
      else forward(event, live);
    },
    rest: (all) => {
      if (all.startsWith(shown)) say(all.slice(shown.length));
    },
  };
}

/** How the text of an answer is shown. */
function textOf(
  asking: RequestKind,
  live: ConversationPorts,
  say: (text: string) => void,
): (text: string) => void {
  switch (asking.kind) {
    case 'open':
      return say;
    case 'content': {
      let isBegun = false;
      return () => {
        const name = toolThat(live.tools, 'writes_whole_files')?.name;
        if (!isBegun && name !== undefined)
          live.emit({ type: 'tool_call_started', index: 0, name });
        isBegun = true;
      };
    }
    case 'choice': {
      const read = choiceReader();
      return (piece) => {
        const { words, action } = read(piece);
        if (action !== undefined) live.emit({ type: 'tool_call_started', index: 0, name: action });
        say(words);
      };
    }
  }
}
