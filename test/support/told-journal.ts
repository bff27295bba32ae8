/** The journal of a conversation or a run in a folder of its own, written by hand, and the events that its records mean. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONVERSATION_FORMAT, RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { encodeLine } from '../../src/journal/lines/framing.ts';
import type { NumberedEvent } from '../../src/live/recent-events.ts';
import { meaningsOf, recordEvents } from '../../src/run/stream/bodies.ts';
import { inEnvelope } from '../../src/run/stream/in-order.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { layoutOfSession } from '../../src/sessions/places.ts';

export const TOLD = 'ab12';

export function toldJournal(isChat = true) {
  const workspace = mkdtempSync(join(tmpdir(), 'told-'));
  const { root, history } = isChat ? layoutOfSession(workspace, TOLD) : layoutOf(workspace);
  const format = isChat ? CONVERSATION_FORMAT : RUN_FORMAT;
  mkdirSync(root, { recursive: true });
  const events: NumberedEvent[] = [];
  let seq = 0;
  let previous = 0;
  const append = (body: object): readonly NumberedEvent[] => {
    seq += 1;
    const record = { seq, ts: seq * 10, ...body } as JournalRecord & { seq: number; ts: number };
    const misfits = format.misfits(record);
    if (misfits.length > 0) throw new Error(JSON.stringify(misfits));
    const { bytes, checksum } = encodeLine(record, previous);
    previous = checksum;
    appendFileSync(history, bytes);
    const meanings = meaningsOf(record, { before: null, after: null });
    const said = recordEvents(record, meanings).map((one, at) => ({
      id: `${seq}.${at}`,
      event: inEnvelope(one, TOLD),
    }));
    events.push(...said);
    return said;
  };
  append({
    ...{ type: 'run_opened', format: 3, run: TOLD, number: 1, startedAt: 1, goal: '' },
    ...{ goalHash: 'session', version: '1', ...(isChat ? { conversation: {} } : {}) },
  });
  return {
    ...{ workspace, events, append },
    /** The id of its last event. */
    last: () => events.at(-1)?.id ?? '0.0',
    remove: () => rmSync(workspace, { recursive: true, force: true }),
  };
}
