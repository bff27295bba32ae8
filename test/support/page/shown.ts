/** A server with all that the page can show. */
import type { RunSummary } from '../../../src/server/api/run-schemas.ts';
import type { SessionSummary } from '../../../src/server/api/session-schemas.ts';
import { FakeServer } from './fake-server.ts';
import { ASKED, atWork, finished, GOAL, RUN_ID, Telling } from './showcase.ts';

const PATH = '/home/ada/shop-api';
export const DONE_ID = 'aa11';
export const TALK_ID = 'bb22';

/** What a model and a file name would have to do to get out of being text. */
export const HOSTILE =
  '<img src=x onerror="window.hit=1"> <script>window.hit=1</script> [go](javascript:window.hit=1) **bold**';

const row = (id: string, number: number, goal: string, standing: RunSummary['standing']) => ({
  ...{ id, workspace: 'w', path: PATH, number, goal, standing, questions: 0 },
  ...{ startedAt: Date.now() - 900_000, lastAt: Date.now() - number * 1000 },
});

const talk: SessionSummary = {
  ...{ id: TALK_ID, number: 3, name: 'refactoring', workspacePath: PATH, state: 'idle' },
  lastAt: Date.now(),
};

export async function showing(folder: string) {
  const server = new FakeServer(folder);
  const url = await server.open();
  const now = Date.now();
  const asked = atWork(now - 700_000)
    .record('approval_asked', {})
    .say('permission_asked', ASKED);
  const done = finished(now - 900_000);
  server.add({
    summary: { ...row(RUN_ID, 12, GOAL, 'running'), questions: 1 },
    events: asked.events,
  });
  server.add({ summary: row(DONE_ID, 10, `Fix ${HOSTILE}`, 'achieved'), events: done.events });
  server.add({ summary: row('cc33', 9, 'A report of last week', 'killed'), events: [] });
  const spoken = new Telling(now - 500_000)
    .record('run_opened', {
      run: TALK_ID,
      startedAt: now,
      number: 3,
      conversation: { name: 'refactoring' },
    })
    .record('person_said', {})
    .say('person_said', { text: 'What decides a price here?' })
    .turn('action', `Three places decide it.\n\n${HOSTILE}\n\n\`\`\`\n${HOSTILE}\n\`\`\``)
    .record('message_ended', {})
    .say('message_ended', { ending: 'replied', detail: '' })
    .record('command_used', {
      ...{ command: 'cost', text: '' },
      result: '12.4k tokens, $0.03, 9.2 s of the model',
    });
  server.add({ summary: talk, events: spoken.events });
  server.ask(RUN_ID, {
    ...{ ...ASKED, folder: PATH, program: '/usr/bin/npm' },
    argv: ['npm', 'install', '--save-dev', 'fast-check@4'],
    allows: ['every command that begins with npm install'],
    input: { cmd: 'npm install --save-dev fast-check@4', timeout_sec: 60 },
  });
  const change =
    '--- a\n+++ b\n@@ -40,2 +40,1 @@\n-  if (total > 100) return 1;\n+  return price(total);\n';
  server.ask(TALK_ID, {
    ...{ id: 'q2', tool: 'edit_file', target: 'src/cart.ts', rules: [], isNoted: false },
    ...{ reason: 'Changes of files are asked for here.', folder: PATH, inputText: change },
  });
  return { server, url: `${url}/#k=once`, asked };
}
