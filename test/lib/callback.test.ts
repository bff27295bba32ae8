import { describe, expect, it } from 'vitest';
import { notify, thrownText } from '../../src/lib/callback.ts';
import { raced } from '../../src/lib/raced.ts';

describe('a function that is told things', () => {
  it('never fails: what it throws or promises is said once', async () => {
    const said: string[] = [];
    const calls: unknown[] = [];
    const fails = [
      (n: number) => {
        calls.push(n);
        throw new Error('at once');
      },
      async () => Promise.reject(new Error('later')),
      // biome-ignore lint/suspicious/noThenProperty: a promise of another maker
      () => ({ then: (_: unknown, reject: (error: unknown) => void) => reject('foreign') }),
    ];
    for (const fail of fails) {
      const safe = notify(fail, (why) => said.push(why));
      for (const n of [1, 2]) safe(n);
    }
    await new Promise(setImmediate);
    expect(said.toSorted()).toEqual(['at once', 'foreign', 'later']);
    expect(calls).toEqual([1, 2]);
    expect(thrownText(Object.create(null))).toBe('something that cannot be shown');
  });
});

describe('work that is raced with a signal', () => {
  it('settles with the signal, and its own failure afterwards is nobody’s', async () => {
    const stop = new AbortController();
    let fail = (_: Error): void => {};
    const work = new Promise<string>((_, reject) => {
      fail = reject;
    });
    const race = raced(work, stop.signal, () => 'stopped');
    stop.abort();
    expect(await race).toBe('stopped');
    fail(new Error('too late'));
    expect(await raced(Promise.resolve('done'), new AbortController().signal, () => '')).toBe(
      'done',
    );
  });
});
