/** The folder as a model is told it. */
import { describe, expect, it } from 'vitest';
import { runIn } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const project = () => {
  const world = testWorld();
  world.write('.gitignore', 'out/\n*.gen.txt\n');
  world.write('app.py', 'print(1)\n');
  world.write('out/app.js', '1\n');
  world.write('rows.gen.txt', '1\n');
  world.write('lib/.gitignore', '/cached\n');
  world.write('lib/cached', '1\n');
  world.write('lib/kept.py', 'x = 1\n');
  return world;
};

const WHO = [
  ['leads', LARGE],
  ['is led', {}],
] as const;

/** What its first request says, files that are shown whole apart. */
async function toldFirst(goal: string, model: object): Promise<string> {
  const provider = scriptedProvider(() => 'No.', model);
  await runIn(project(), provider, { goal, maxRounds: 1 });
  return provider.requests[0]?.messages.map(({ content }) => content).join('\n') ?? '';
}

describe.each(WHO)('a model that %s', (_who, model) => {
  it('is not told of files that git leaves out', async () => {
    const told = await toldFirst('Make the app print 2', model);
    expect(told).toContain('app.py');
    expect(told).toContain('lib/kept.py');
    expect(told).not.toContain('app.js');
    expect(told).not.toContain('rows.gen.txt');
    expect(told).not.toContain('lib/cached');
  });

  it('is told of one that the goal names', async () => {
    const told = await toldFirst('Count the lines of rows.gen.txt, see out', model);
    expect(told).toMatch(/^.*(FOLDER|Files here)[\s\S]*rows\.gen\.txt/m);
    expect(told).toContain('out/app.js');
  });
});
