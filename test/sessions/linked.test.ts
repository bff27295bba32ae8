/** A folder from someone else may contain links in place of conversations; nothing behind them is touched. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { conversationPorts } from '../../src/context-manager/open-or-create.ts';
import { layoutIn, layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { createJournal } from '../../src/journal/recover.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { CONVERSATION } from '../../src/schema/journal/upgrade.ts';
import { FORMAT_VERSION } from '../../src/schema/records.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { realFolder, realMachine } from '../support/real-run.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';

const fs = nodeFileSystem;
const ID = 'abcd';

/** The journal of a single message that is older than a week. */
function oldMessage(root: string): void {
  const layout = layoutIn(root);
  prepareLayout(fs, layout);
  const { journal } = createJournal(conversationPorts({ fs, layout, clock: { now: () => 1 } }), {
    ...{
      type: 'run_opened',
      format: FORMAT_VERSION,
      run: ID,
      number: 1,
      startedAt: 1,
      version: '1.0.0',
    },
    ...{ goal: '', goalHash: CONVERSATION, conversation: { once: true } },
  });
  journal.close();
}

async function chatIn(workspace: string): Promise<void> {
  const provider = scriptedProvider(() => 'Hello.', LARGE);
  const session = await openSession({
    ...{ workspace, provider, model: SCRIPTED_MODEL, machine: realMachine() },
  });
  await session.close();
}

const here = (): { folder: string; sessions: string } => {
  const folder = realFolder({ 'mine/a.txt': 'a', 'mine/b.agent.tmp': 'b' });
  const { sessions } = layoutOf(folder);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  return { folder, sessions };
};

it('a link in place of an old single message is not swept', async () => {
  const { folder, sessions } = here();
  oldMessage(join(folder, 'mine'));
  symlinkSync(join(folder, 'mine'), join(sessions, ID), 'junction');
  await chatIn(folder);
  expect(readFileSync(join(folder, 'mine/a.txt'), 'utf8')).toBe('a');
  expect(readdirSync(sessions)).toContain(ID);
});

it('nothing behind a link in an old single message is removed', async () => {
  const { folder, sessions } = here();
  const root = join(sessions, ID);
  oldMessage(root);
  rmSync(join(root, 'lock'), { recursive: true });
  symlinkSync(join(folder, 'mine'), join(root, 'lock'), 'junction');
  await chatIn(folder);
  expect(readdirSync(join(folder, 'mine'))).toEqual(['a.txt', 'b.agent.tmp']);
});

it('nothing behind a link in what a killed start left is removed', async () => {
  const { folder, sessions } = here();
  const root = join(sessions, ID);
  prepareLayout(fs, layoutIn(root));
  const { host } = realMachine().identity;
  const owner = { host, boot: 'an earlier one', pidNamespace: '', pid: 1, startTime: '', since: 1 };
  writeFileSync(join(root, 'lock/lock.1'), JSON.stringify(owner));
  rmSync(join(root, 'blobs'), { recursive: true });
  symlinkSync(join(folder, 'mine'), join(root, 'blobs'), 'junction');
  await chatIn(folder);
  expect(readdirSync(join(folder, 'mine'))).toEqual(['a.txt', 'b.agent.tmp']);
});
