import { describe, expect, test } from 'vitest';
import { type LongWork, longCall } from '../../src/lib/long-call.ts';

/** Numbers are records; text may be dropped. */
type Event = number | string;

interface Started {
  tell(event: Event): void;
  done(result: string): void;
  fail(error: Error): void;
  readonly signal: AbortSignal;
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((take, fail) => {
    resolve = take;
    reject = fail;
  });
  return { promise, resolve, reject };
}

function begin(options: Partial<LongWork<string, Event>> = {}) {
  let isStarted = false;
  const started = deferred<Started>();
  const call = longCall<string, Event>({
    work: (tell, signal) => {
      isStarted = true;
      const { promise, resolve: done, reject: fail } = deferred<string>();
      signal.addEventListener('abort', () => done(`stopped: ${signal.reason}`));
      started.resolve({ tell, done, fail, signal });
      return promise;
    },
    mayDrop: (event) => typeof event === 'string',
    ...options,
  });
  return { call, started: started.promise, isStarted: () => isStarted };
}

async function all(events: AsyncIterable<Event>): Promise<Event[]> {
  const told: Event[] = [];
  for await (const event of events) told.push(event);
  return told;
}

describe('a long call', () => {
  test('has begun when nobody awaits or iterates it', async () => {
    const { started, isStarted } = begin();
    await started;
    expect(isStarted()).toBe(true);
  });

  test('is a promise of its result, also in a race and behind then', async () => {
    const { call, started } = begin();
    (await started).done('good');
    expect(call).toBeInstanceOf(Promise);
    expect(await Promise.race([call, new Promise(() => {})])).toBe('good');
    expect(await call.then((text) => `${text}!`)).toBe('good!');
  });

  test('tells an iterator that was made at once everything, in order', async () => {
    const { call, started } = begin();
    const told = all(call);
    const { tell, done } = await started;
    for (const event of [1, 'a', 2]) tell(event);
    done('good');
    expect(await told).toEqual([1, 'a', 2]);
  });

  test('keeps nothing for nobody: an iterator gets what happens from its own beginning', async () => {
    const { call, started } = begin();
    const { tell, done } = await started;
    tell(1);
    const told = all(call);
    tell(2);
    done('good');
    expect(await told).toEqual([2]);
  });

  test('tells each of several iterators', async () => {
    const { call, started } = begin();
    const both = [all(call), all(call.events())];
    const { tell, done } = await started;
    tell(1);
    done('good');
    expect(await Promise.all(both)).toEqual([[1], [1]]);
  });

  test('drops text that nobody takes beyond the bound, and never a record', async () => {
    const { call, started } = begin({ bound: 4 });
    const iterator = call.events();
    const { tell, done } = await started;
    for (const event of ['a', 1, 'b', 2, 'c', 3, 'd', 4, 5, 6, 'e', 7]) tell(event);
    done('good');
    expect(await all(iterator)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('goes on when an iterator is left, and tells it nothing more', async () => {
    const { call, started } = begin();
    const iterator = call.events();
    const { tell, done, signal } = await started;
    tell(1);
    for await (const event of iterator) {
      expect(event).toBe(1);
      break;
    }
    tell(2);
    expect(signal.aborted).toBe(false);
    done('good');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await call).toBe('good');
  });

  test('ends a next that waits when the iterator is left', async () => {
    const { call, started } = begin();
    const iterator = call.events();
    const next = iterator.next();
    await iterator.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    (await started).done('good');
  });

  test.each(['abort', 'signal'])('is stopped by %s, and resolves with how it ended', async (by) => {
    const stop = new AbortController();
    const { call, started } = begin({ signal: stop.signal });
    await started;
    if (by === 'abort') call.abort('enough');
    else stop.abort('enough');
    expect(await call).toBe('stopped: enough');
  });

  test('tells one who comes late how it ended, and no more', async () => {
    const { call, started } = begin();
    const { tell, done } = await started;
    tell(1);
    tell(2);
    done('good');
    await call;
    expect(await all(call)).toEqual([2]);
  });

  test('rejects in the promise and once in each iterator, behind what came before', async () => {
    const { call, started } = begin();
    const iterator = call.events();
    const { tell, fail } = await started;
    tell(1);
    fail(new Error('misuse'));
    await expect(call).rejects.toThrow('misuse');
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await expect(iterator.next()).rejects.toThrow('misuse');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await expect(all(call)).rejects.toThrow('misuse');
  });

  test('is never an unhandled rejection, whoever looks', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const { call, started } = begin();
      const iterator = call.events();
      (await started).fail(new Error('misuse'));
      await expect(iterator.next()).rejects.toThrow('misuse');
      const alone = begin();
      (await alone.started).fail(new Error('misuse'));
      const throwing = longCall<string, Event>({
        work: () => {
          throw new Error('at once');
        },
        mayDrop: () => true,
      });
      // Node looks for them once the microtasks are through.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
      await expect(throwing).rejects.toThrow('at once');
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});

test('an iterator that nobody reads looks at each event a bounded number of times', async () => {
  const [count, bound] = [500, 10];
  let looks = 0;
  const mayDrop = () => {
    looks += 1;
    return false;
  };
  const { call, started } = begin({ mayDrop, bound });
  call.events();
  const { tell, done } = await started;
  for (let at = 0; at < count; at += 1) tell(at);
  done('done');
  await call;
  expect(looks).toBeLessThanOrEqual(2 * count);
});
