import { expect, it } from 'vitest';
import { ruleInWords } from '../../../src/policy/rules/say.ts';

it.each([
  ['run_cmd(git push *)', 'every command that begins with git push'],
  ['run_cmd(make *)', 'every command that begins with make'],
  ['run_cmd(npm ci)', 'only npm ci'],
  ["run_cmd(git commit -m 'two words')", "only git commit -m 'two words'"],
  ["run_cmd(echo '\\*')", 'only echo *'],
  ['run_cmd(rm a*)', 'only rm a*, where * stands for any part of a word'],
  ['run_cmd(*)', 'every command'],
  ['edit(/AGENTS.md)', 'changing AGENTS.md (of a folder, all that is in it)'],
  ['remove(/app/[[]id]/a b.txt)', 'removing app/[id]/a b.txt (of a folder, all that is in it)'],
  ['read(src/**)', 'reading what matches src/**'],
  ['edit(**)', 'changing every file of the folder'],
  ['read(~/.ssh/*)', 'reading what matches ~/.ssh/*'],
  ['mcp(web)', 'every tool of the server web'],
  ['mcp(web.get)', 'the tool get of the server web'],
  ['tool(deploy)', 'the tool deploy'],
  ['programs(.venv)', 'every program installed in .venv'],
  ['web_fetch(example.com)', 'pages of example.com'],
  ['no_such(thing)', 'no_such(thing)'],
])('%s allows %s', (rule, words) => {
  expect(ruleInWords(rule)).toBe(words);
});
