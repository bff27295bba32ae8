import { describe, expect, it } from 'vitest';
import { judgeFinish } from '../../../src/llm/turn/judge-finish.ts';
import type { BufferedReply } from '../../../src/llm/turn/reply-buffer.ts';
import type { Message } from '../../../src/schema/model/messages.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';
import { fc } from '../../support/dice.ts';
import { requestOf } from '../support.ts';

const replyWith = (input: number): BufferedReply => ({
  text: 'an answer',
  thinking: '',
  calls: [],
  opaque: null,
  reason: 'stop',
  rawReason: 'stop',
  usage: { ...NO_USAGE, input, output: 3 },
});

const judge = (content: string, reported: number, least = 0, more: readonly Message[] = []) =>
  judgeFinish(
    requestOf({ contextWindow: 4096, messages: [{ role: 'user', content }, ...more] }),
    replyWith(reported),
    least,
  ).status.kind;

const CODE = 'total=compute(first_value,second_value)+third.value[12345];\n'.repeat(250);

describe('a prompt that was shortened without a word', () => {
  it('is told by the words in it, also where no spaces stand between them', () => {
    expect(judge(CODE, 1200)).toBe('context_overflow');
    expect(judge(CODE, 4000)).toBe('success');
  });

  it('is told by the letters of East Asia', () => {
    expect(judge('漢字仮名交じり文'.repeat(1200), 1500)).toBe('context_overflow');
  });

  it('is told by the arguments of the calls in it', () => {
    const args = { path: 'a.py', content: CODE };
    const call: Message = {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'write_file', args }],
    };
    expect(judge('go on', 700, 0, [call])).toBe('context_overflow');
  });

  it('is told by the turns before it: a prompt that grew cannot have fewer tokens', () => {
    const text = 'a'.repeat(9000);
    expect(judge(text, 2400, 3000)).toBe('context_overflow');
    expect(judge(text, 2880, 3000)).toBe('context_overflow');
    expect(judge(text, 2950, 3000)).toBe('success');
  });

  it('is not told by the turns before it where thinking may have been left out', () => {
    const thought: Message = { role: 'assistant', content: 'so', thinking: 'hm '.repeat(900) };
    expect(judge('a'.repeat(9000), 2400, 3000, [thought])).toBe('success');
  });

  it('is never suspected where the prompt is far below the window, or nothing is reported', () => {
    expect(judge('some words '.repeat(300), 20, 800)).toBe('success');
    expect(judge(CODE, 0, 5000)).toBe('success');
  });

  it('is never suspected of text that is read at four characters a token', () => {
    const word = fc.stringMatching(/^[a-z]{3,9}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1200, maxLength: 1500 }), (words) => {
        const text = words.join(' ');
        expect(judge(text, Math.ceil(text.length / 4))).toBe('success');
      }),
      { numRuns: 20 },
    );
  });
});
