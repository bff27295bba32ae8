/** How a run of a fleet is shown to who follows it: in words for people, or as events for programs. */
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import type { FleetRequest } from '../../fleet/contract.ts';
import { replayEvents } from '../../host/library/replay.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { layoutOf } from '../../journal/layout.ts';
import { createNarrator } from '../../run/stream/narrator.ts';
import type { ResultBody } from '../../run/stream/result-body.ts';
import type { CommandContext } from '../command-context.ts';
import { wantsJson } from '../commands/print.ts';
import { JournalTail, journalPath } from '../journal-tail.ts';
import { jsonLine } from '../json-line.ts';
import { historyWords } from '../render/records/history-words.ts';
import { printFolded } from '../render/text/fold.ts';

export interface ShownRun {
  /** Shows what the journal has more than before. */
  look(): void;
  /** @param text for people; `body` is the last event */
  end(text: string, body: ResultBody): void;
}

/** If this machine does not have the run's folder, only the engine can report. */
export const shownRun = (context: CommandContext, request: FleetRequest): ShownRun =>
  wantsJson(context) ? inEvents(context, request) : inWords(context, request);

function inWords({ terminal }: CommandContext, { run, workspace }: FleetRequest): ShownRun {
  const tail = new JournalTail(journalPath(workspace));
  let isItsOwn = false;
  return {
    look() {
      for (const { record } of tail.read()) {
        // Until the run begins, the folder holds the journal of the previous run.
        if (record?.type === 'run_opened') isItsOwn = record.run === run;
        const line = record === null || !isItsOwn ? null : historyWords(record);
        if (line !== null) printFolded(terminal.stdout, `${line}\n`);
      }
    },
    end: (text) => printFolded(terminal.stderr, text),
  };
}

function inEvents({ terminal }: CommandContext, request: FleetRequest): ShownRun {
  const { run, workspace, goal } = request;
  const { fs } = userResources(terminal).machine;
  const tail = new JournalTail(journalPath(workspace));
  const narrator = createNarrator({ run, workspace, goal }, (event) =>
    terminal.stdout.write(jsonLine(event)),
  );
  let shown = 0;
  return {
    look() {
      if (tail.read().length === 0) return;
      // An event needs the state before its record, so the journal is folded again from its beginning.
      let at = 0;
      for (const event of replayEvents(layoutOf(workspace), fs, RUN_FORMAT)) {
        if (event.state.run !== run || ++at <= shown) continue;
        shown = at;
        narrator.emit(event);
        const { state } = event;
        if (state.settings !== null)
          narrator.emit({ type: 'begun', state, number: null, isResumed: false });
      }
    },
    end(text, body) {
      narrator.end(body);
      printFolded(terminal.stderr, text);
    },
  };
}
