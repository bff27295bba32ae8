import { expect, test } from 'vitest';
import { checkForm } from '../../../src/host/config/check.ts';
import { parseDocument } from '../../../src/host/config/document.ts';
import { serversIn } from '../../../src/host/config/fill-servers.ts';

test.each([
  ['linux', {}],
  ['linux', { HOME: 'not/absolute' }],
] as const)(
  'a server of the user starts in an absolute folder where %s has %o',
  (platform, env) => {
    const document = parseDocument('settings.json', '{"mcpServers":{"db":{"command":"npx"}}}');
    const { db } = serversIn(document, checkForm(document), { env, platform });
    expect(db).toMatchObject({ cwd: expect.stringMatching(/^\//) });
  },
);
