import { describe, expect, test } from 'vitest';
import { agentLab } from '../support/e2e-agent.ts';

const lab = agentLab();

describe('agent demo', () => {
  test('kills a real run on recorded turns, resumes it and repeats nothing', async () => {
    const { exitCode, stdout, stderr } = await lab.agent(['demo', '--clean'], { in: lab.folder() });
    const screen = stdout + stderr;
    expect(exitCode, screen).toBe(0);
    expect(screen).toContain("The model's answers in this demo are recorded");
    expect(screen).toContain('was killed with SIGKILL');
    expect(screen).toContain('Done in');
    expect(screen).toMatch(/run again: +nothing/);
    expect(screen).toMatch(/The same goal with a model of your own/);
  });
});
