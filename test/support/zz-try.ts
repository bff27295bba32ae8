import { startFakeOllama } from './fake-ollama.ts';
import { writeFileSync } from 'node:fs';
const plan = JSON.stringify({tasks:[{description:'Calculator module',subtasks:[{action:'write_file',file:'calc.mjs',purpose:'add and sub'}]},{description:'Tests of it',subtasks:[{action:'write_file',file:'calc.test.mjs',purpose:'tests add and sub'},{action:'run_cmd',cmd:'node --test calc.test.mjs',purpose:'shows that they pass'}]}],verify:{cmd:'node --test calc.test.mjs',prints:'',stdin:''}});
const code=(op:string)=>"```js\nexport function add(a, b) {\n  return a "+op+" b;\n}\n\nexport function sub(a, b) {\n  return a - b;\n}\n```";
const tests="```js\nimport test from 'node:test';\nimport assert from 'node:assert';\nimport { add, sub } from './calc.mjs';\n\ntest('add', () => {\n  assert.equal(add(1, 2), 3);\n});\n\ntest('sub', () => {\n  assert.equal(sub(3, 2), 1);\n});\n```";
let wrote=0;
const server = await startFakeOllama({ port: 11999, script: (request, n) => {
  const last = request.messages.at(-1)?.content ?? '';
  const slow = { chunkDelayMs: 60 };
  if (n===1) return { error: { status: 500, body: JSON.stringify({error:'llama runner process has terminated: exit status 2'}) } };
  if (JSON.stringify(request.format ?? '').includes('subtasks')) return { content: plan, ...slow };
  if (/Which file must change|is wrong. Which/.test(last)) return { content: '{"action":"write_file","because":"add subtracts its numbers","file":"calc.mjs"}', ...slow };
  if (/content of calc.test.mjs/.test(last)) return { content: tests, ...slow };
  if (/content of calc.mjs/.test(last)) { wrote+=1; return { content: code(wrote===1?'-':'+'), ...slow }; }
  return { content: '{"action":"mark_subtask_complete","reason":"it is done","success":true}', ...slow };
}});
writeFileSync('/tmp/screen-try/url', server.url);
