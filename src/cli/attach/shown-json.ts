import { narrateRecords } from '../../run/stream/narrator.ts';
import type { CommandContext } from '../command-context.ts';
import { jsonLine } from '../json-line.ts';
import type { AttachedScreen } from './attached-screen.ts';

/** Prints every event on a line of its own, from the first record on. */
export function showJson({ terminal }: CommandContext): AttachedScreen {
  const write = (event: Parameters<typeof jsonLine>[0]): void =>
    terminal.stdout.write(jsonLine(event));
  return {
    past: (records, { started }) => {
      if (started !== null) write(started);
      for (const event of narrateRecords(records)) write(event);
    },
    missed: (records) => {
      for (const event of narrateRecords(records)) write(event);
    },
    receive: write,
    note: () => {},
    hold: () => () => {},
    stop: () => {},
  };
}
