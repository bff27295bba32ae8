/** A conversation of ten turns over the wire of Ollama, with a model of 1.5 billion parameters. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSession } from '../../src/host/library/create-session.ts';
import { answerText, choiceText } from '../../src/llm/tool-modes/choice.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';

const MODEL = 'qwen2.5-coder:1.5b';
const act = (name: string, args: Record<string, string>) => choiceText({ name, args });

const THREE = 'def run():\n    print("three")\n    print("\\"quoted\\"")\n\n\nrun()\n';

const TALK: readonly (readonly [said: string, ...answers: string[]])[] = [
  ['Hello', answerText('Hello! "Here" I am 😀.')],
  ['Read it', act('read_file', { file: 'a.py' }), answerText('It prints one.')],
  [
    'Let it print two',
    act('edit_file', { file: 'a.py', instead_of: 'print("one")', write: 'print("two")' }),
    answerText('It prints two.'),
  ],
  [
    'Write it anew, with three',
    act('write_file', { file: 'a.py' }),
    `\`\`\`python\n${THREE}\`\`\``,
    answerText('Written.'),
  ],
  ['Thanks', answerText('Gladly.')],
  ['Bye', answerText('Bye.')],
];

test('ten turns with two changes of a file: what a person sees is words, and what is asked for is held to a schema', async () => {
  const answers = TALK.flatMap(([, ...all]) => all);
  const server = await startFakeOllama({
    models: [{ name: MODEL, parameterSize: '1.5B', capabilities: ['completion', 'tools'] }],
    script: (_, n) => ({ content: answers[n - 1] ?? '', pieceLength: 5 }),
  });
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'held-')));
  writeFileSync(join(workspace, 'a.py'), 'def run():\n    print("one")\n\n\nrun()\n');
  try {
    const session = await createSession({
      ...{ workspace, model: `ollama/${MODEL}` },
      providers: { ollama: { baseUrl: server.url } },
      sandbox: 'off',
      allow: ['edit(**)'],
    });
    const shown: string[] = [];
    for (const [said, ...all] of TALK) {
      const call = session.send(said);
      let text = '';
      for await (const event of call) if (event.type === 'text_delta') text += event.text;
      const { reply, ending } = await call;
      expect([ending, reply]).toEqual(['replied', text]);
      expect(all.at(-1)).toBe(answerText(reply));
      shown.push(text);
      if (said.startsWith('Let'))
        expect(readFileSync(join(workspace, 'a.py'), 'utf8')).toContain('    print("two")\n\n');
    }
    await session.close();
    expect(shown.join('')).not.toMatch(/[{}`]/);
    expect(readFileSync(join(workspace, 'a.py'), 'utf8')).toBe(THREE);
    const formats = server.chats.map((raw) => (JSON.parse(raw) as { format?: unknown }).format);
    expect(formats.map((format) => format !== undefined)).toEqual(
      answers.map((answer) => !answer.startsWith('```')),
    );
    expect(server.chats.some((raw) => raw.includes('"tools"'))).toBe(false);
    expect(server.violations).toEqual([]);
    const prompts = server.chats.map((raw) =>
      JSON.stringify((JSON.parse(raw) as { messages: unknown[] }).messages).slice(0, -1),
    );
    // What was sent stays as it was: only the end grows.
    for (const [n, prompt] of prompts.slice(1).entries())
      expect(prompt.startsWith((prompts[n] ?? '').replace(/"\}$/, ''))).toBe(true);
  } finally {
    await server.close();
    rmSync(workspace, { recursive: true, force: true });
  }
});
