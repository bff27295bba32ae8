import { describe, expect, it } from 'vitest';
import type { ShownFile } from '../../src/schema/state-parts/shown-file.ts';
import { isInView } from '../../src/steps/shown.ts';
import { bareState, file } from '../support/run-state.ts';

const shown = (...shows: readonly ShownFile[]) => ({
  seq: 7,
  offset: 70,
  role: 'user' as const,
  cause: 'content_question' as const,
  length: 9,
  shows,
});
const view = (known: Parameters<typeof file>[0], ...shows: readonly ShownFile[]) =>
  isInView(
    bareState('guided', { files: { 'a.py': file(known) }, conversation: [shown(...shows)] }),
    'a.py',
  );
const GIVEN = { hash: 'now', baseline: 'now' };

describe('A file may be written whole', () => {
  it.each<[string, boolean]>([
    ['when nobody knows of it', isInView(bareState('guided'), 'a.py')],
    ['when the run made it', view({ hash: 'now', baseline: null })],
    ['when its present text is shown', view(GIVEN, { path: 'a.py', hash: 'now' })],
    [
      'when the text is shown that its new content is measured by',
      view({ hash: 'now', baseline: 'first' }, { path: 'a.py', hash: 'first' }),
    ],
    [
      'when the text before is shown, and the edit since',
      view(GIVEN, { path: 'a.py', hash: 'first' }, { path: 'a.py', hash: 'now', base: 'first' }),
    ],
  ])('%s', (_, isIt) => expect(isIt).toBe(true));
});

describe('A given file may not be written whole', () => {
  it.each<[string, boolean]>([
    ['when nothing of it is shown', view(GIVEN)],
    ['when another file is shown', view(GIVEN, { path: 'b.py', hash: 'now' })],
    ['when some lines of it are shown', view(GIVEN, { path: 'a.py', hash: 'now', from: 1, to: 9 })],
    ['when an older text of it is shown', view(GIVEN, { path: 'a.py', hash: 'old' })],
    ['when only an edit of it is shown', view(GIVEN, { path: 'a.py', hash: 'now', base: 'first' })],
    [
      'when edits lead to each other and to no text',
      view(
        GIVEN,
        { path: 'a.py', hash: 'now', base: 'old' },
        { path: 'a.py', hash: 'old', base: 'now' },
      ),
    ],
    [
      'when many edits lead back and forth',
      view(
        GIVEN,
        ...Array.from({ length: 40 }, (_, at) =>
          at % 2 === 0
            ? { path: 'a.py', hash: 'now', base: 'old' }
            : { path: 'a.py', hash: 'old', base: 'now' },
        ),
      ),
    ],
  ])('%s', (_, isIt) => expect(isIt).toBe(false));
});
