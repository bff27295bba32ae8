// Calls as Python writes them.
import { calls, READ, samplesOf, shownBack, TEXT, WRITE } from './sample.ts';

export const pythonicSamples = samplesOf([
  ['a list', 'Llama 4 Scout', '[write_file(path="a.txt", content=\'hi\')]', calls(WRITE)],
  [
    'a list of two',
    'Llama 3.2 3B',
    '[write_file(path="a.txt", content="hi"), read_file(path="a.txt")]',
    calls(WRITE, READ),
  ],
  [
    'between tool_call_start and tool_call_end',
    'LFM2 1.2B',
    '<|tool_call_start|>[write_file(path="a.txt", content="hi")]<|tool_call_end|>',
    calls(WRITE),
  ],
  [
    'the same, a sentence behind',
    'LFM2 2.6B',
    '<|tool_call_start|>[read_file(path="a.txt")]<|tool_call_end|>Reading the file.',
    calls(READ),
  ],
  [
    'in function_calls, one a line',
    'OLMo 3 7B',
    '<function_calls>\nwrite_file(path="a.txt", content="hi")\nread_file(path="a.txt")\n</function_calls>',
    calls(WRITE, READ),
  ],
  [
    'python_start',
    'Llama 4 Maverick',
    '<|python_start|>[read_file(path="a.txt")]<|python_end|>',
    calls(READ),
  ],
  [
    'tool_code fence',
    'Gemma 3 4B',
    '```tool_code\nwrite_file(path="a.txt", content="hi")\n```',
    calls(WRITE),
  ],
  [
    'tool_code fence with print',
    'Gemini 2.0 Flash',
    '```tool_code\nprint(default_api.write_file(path="a.txt", content="hi"))\n```',
    calls(WRITE),
  ],
  ['no list around, and nothing else', 'Hammer 2 0.5B', 'read_file(path="a.txt")', calls(READ)],
  [
    'True, None and a number',
    'Llama 4 Scout',
    '[read_file(path="a.txt", start_line=2, end_line=None), mark_subtask_complete(success=True)]',
    calls(
      ['read_file', { path: 'a.txt', start_line: 2 }],
      ['mark_subtask_complete', { success: true }],
    ),
  ],
  [
    'three quotes and line breaks',
    'Gemma 3 12B',
    '[write_file(path="a.py", content="""def f():\n    return "x"\n""")]',
    calls(['write_file', { path: 'a.py', content: 'def f():\n    return "x"\n' }]),
  ],
  [
    'escapes of Python',
    'Llama 4 Scout',
    String.raw`[write_file(path="a.py", content="a\tb\n\u00e9\x21 \d")]`,
    calls(['write_file', { path: 'a.py', content: 'a\tb\né! \\d' }]),
  ],
  [
    'parentheses and brackets inside a string',
    'LFM2 1.2B',
    '[write_file(path="a.py", content="print([1, 2])\\n)]")]',
    calls(['write_file', { path: 'a.py', content: 'print([1, 2])\n)]' }]),
  ],
  [
    'without names of arguments',
    'LFM2 350M',
    '<|tool_call_start|>[read_file("a.txt")]<|tool_call_end|>',
    shownBack('read_file', 'path: string'),
  ],
  [
    'a tool that is not there',
    'Llama 4 Scout',
    '[send_mail(path="a.txt")]',
    shownBack('send_mail', 'list_dir, read_file, find_files'),
  ],
  [
    'one of them is not there',
    'Llama 4 Scout',
    '[write_file(path="a.txt", content="hi"), erase_disk(path="/")]',
    shownBack('erase_disk'),
  ],
  [
    'an expression instead of a value',
    'Llama 3.2 3B',
    '<|tool_call_start|>[write_file(path="a.txt", content="hi" * 3)]<|tool_call_end|>',
    shownBack('write_file'),
  ],
  [
    'code that calls a function of that name',
    'Llama 3.1 8B',
    'You can test it so:\n\n```python\nfrom helpers import write_file\n\nwrite_file(path="a.txt", content="hi")\n```',
    TEXT,
  ],
  [
    'a name with parentheses in a sentence',
    'any',
    'I call read_file(path="a.txt") to see it.',
    TEXT,
  ],
  ['a list of numbers', 'any', '[1, 2, 3]', TEXT],
]);
