/** How many bytes of conversation the requests of a run carried, from its records. Pure. */
import type { JournalRecord } from '../src/schema/records.ts';
import type { StoredText } from '../src/schema/text.ts';

interface Piece {
  readonly seq: number;
  readonly bytes: number;
}

const bytesOf = (text: StoredText): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.length;

export interface PromptCounter {
  add(record: JournalRecord & { readonly seq: number }): void;
  /** Bytes of message text over all requests; what a cache saves is not taken off. */
  total(): number;
}

export function promptCounter(): PromptCounter {
  let system = 0;
  let conversation: Piece[] = [];
  let beside: Piece[] | null = null;
  let total = 0;
  /** Of the last outcome: a message may be its result. */
  let result = 0;
  return {
    add: (record) => {
      const add = (bytes: number): void => {
        conversation.push({ seq: record.seq, bytes });
      };
      switch (record.type) {
        case 'settings_changed':
          system = bytesOf(record.systemPrompt);
          break;
        case 'message_added':
          add(record.text === undefined ? result : bytesOf(record.text));
          break;
        case 'action_finished':
          result = bytesOf(record.result);
          break;
        case 'turn_finished':
          total += conversation.reduce((sum, piece) => sum + piece.bytes, system);
          if (record.status.kind === 'success') add(bytesOf(record.response.content));
          break;
        case 'rewound':
          conversation = conversation.filter((piece) => piece.seq < record.fromSeq);
          break;
        case 'branched':
          if (record.at === 'open') {
            beside = conversation;
            conversation = [];
          } else {
            conversation = beside ?? conversation;
            beside = null;
          }
          break;
        case 'compacted':
          conversation = conversation.filter(
            ({ seq }) => seq < record.fromSeq || seq > record.toSeq,
          );
          add(bytesOf(record.text));
          break;
        default:
      }
    },
    total: () => total,
  };
}
