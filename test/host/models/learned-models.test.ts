/** What runs have learnt of models, kept in the user's data folder. */
import { describe, expect, it } from 'vitest';
import { learnedModels } from '../../../src/host/models/learned-models.ts';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import { lessonKey } from '../../../src/llm/models/lessons.ts';

const DAY = 24 * 60 * 60 * 1000;
const FILE = '/data/learned-models.json';

function place() {
  const fs = createMemoryFileSystem({ platform: 'linux' });
  let time = 1_700_000_000_000;
  const clock = { now: () => time };
  const pass = (ms: number): void => {
    time += ms;
  };
  const put = (text: string): void => {
    const fd = fs.open(FILE, 'w');
    fs.write(fd, Buffer.from(text), 0);
    fs.close(fd);
  };
  return { fs, pass, put, lessons: learnedModels({ fs, clock, dataFolder: '/data' }) };
}

describe('what was learnt of a model', () => {
  it('is there for the next run, one lesson beside the other', () => {
    const { fs, lessons } = place();
    lessons.learn('sha', { callsUnusable: true });
    lessons.learn('sha', { window: 8192 });
    lessons.learn('other', { leavesSchema: true });
    expect(lessons.of('sha')).toEqual({ at: 1_700_000_000_000, callsUnusable: true, window: 8192 });
    expect(lessons.of('other')?.leavesSchema).toBe(true);
    expect(lessons.of('none')).toBeNull();
    expect(lessons.of('__proto__')).toBeNull();
    expect(fs.stat(FILE).mode & 0o777).toBe(0o600);
  });

  it('is forgotten after a month, and the oldest go first where there are many', () => {
    const { fs, lessons, pass, put } = place();
    fs.mkdir('/data');
    const many = Array.from({ length: 200 }, (_, n) => [`m${n}`, { at: 1.7e12 + n, window: 1 }]);
    put(JSON.stringify({ format: 1, models: Object.fromEntries(many) }));
    pass(200);
    expect(lessons.of('m0')).not.toBeNull();
    lessons.learn('last', { window: 1 });
    expect(lessons.of('m0')).toBeNull();
    expect(lessons.of('m1')).not.toBeNull();
    pass(31 * DAY);
    expect(lessons.of('last')).toBeNull();
  });

  it.each(['', '{', '[]', '{"format":2,"models":{}}', '{"format":1,"models":{"sha":{"at":"x"}}}'])(
    'is nothing where the file says %j, and is learnt anew',
    (text) => {
      const { lessons, put } = place();
      lessons.learn('sha', { window: 1 });
      put(text);
      expect(lessons.of('sha')).toBeNull();
      lessons.learn('sha', { window: 2 });
      expect(lessons.of('sha')?.window).toBe(2);
    },
  );

  it('never ends a run: a file that cannot be read or written is passed over', () => {
    const { fs } = place();
    const broken = new Proxy(fs, {
      get: (target, name) =>
        name === 'platform'
          ? target.platform
          : () => {
              throw Object.assign(new Error('no'), { code: 'EACCES' });
            },
    });
    const lessons = learnedModels({ fs: broken, clock: { now: () => 0 }, dataFolder: '/data' });
    expect(lessons.of('sha')).toBeNull();
    expect(() => lessons.learn('sha', { window: 1 })).not.toThrow();
  });

  it('goes by the weights, else by who serves the model as what', () => {
    const model = { provider: 'openai', model: 'm', digest: null };
    expect(lessonKey({ ...model, digest: 'sha' })).toBe('sha');
    expect(lessonKey(model)).not.toBe(lessonKey({ ...model, baseUrl: 'http://h:1/v1' }));
    expect(lessonKey(model)).not.toBe(lessonKey({ ...model, provider: 'openrouter' }));
  });
});
