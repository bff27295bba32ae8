import type { RecordOf } from '../../../schema/records.ts';
import type { ChatState } from '../../../schema/state-parts/chat-state.ts';

export const initialChat = ({
  conversation: { name, before } = {},
  number,
}: RecordOf<'run_opened'>): ChatState => ({
  name: name ?? null,
  number: number ?? null,
  before: before ?? null,
  next: null,
  limits: {},
  open: null,
  last: null,
  messages: 0,
  invalid: 0,
  fileWanted: null,
  changing: [],
  undoing: null,
  putBack: [],
});
