/** Renders Markdown; all of its text becomes text nodes, never HTML. */
import { blocksOf, type Inline, type MarkdownBlock } from '../fold/markdown.ts';
import { readable } from '../fold/visible.ts';
import { Printed, Scroll } from './parts.tsx';

export const Markdown = ({ text }: { text: string }) => (
  <div class="markdown">
    {blocksOf(readable(text)).map((block, at) => (
      <BlockView key={at} block={block} />
    ))}
  </div>
);

function BlockView({ block }: { block: MarkdownBlock }) {
  switch (block.kind) {
    case 'code':
      return (
        <Printed>
          <code>{block.text}</code>
        </Printed>
      );
    case 'heading': {
      // One level below the headings of the page.
      const Heading = block.level < 3 ? 'h3' : 'h4';
      return (
        <Heading class="heading">
          <Inlines parts={block.inline} />
        </Heading>
      );
    }
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at}>
          <Inlines parts={item} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'quote':
      return (
        <blockquote>
          <Inlines parts={block.inline} />
        </blockquote>
      );
    case 'paragraph':
      return (
        <p>
          <Inlines parts={block.inline} />
        </p>
      );
    case 'table':
      return <Table rows={block.rows} />;
    case 'rule':
      return <hr />;
    default:
      return block satisfies never;
  }
}

function Table({
  rows: [names = [], ...rows],
}: Pick<Extract<MarkdownBlock, { kind: 'table' }>, 'rows'>) {
  return (
    <Scroll kind="scroll-x" label="Table">
      <table>
        <thead>
          <tr>
            {names.map((cell, at) => (
              <th key={at} scope="col">
                <Inlines parts={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, at) => (
                <td key={at}>
                  <Inlines parts={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const Inlines = ({ parts }: { parts: readonly Inline[] }) => (
  <>
    {parts.map((part, at) => (
      <InlineView key={at} part={part} />
    ))}
  </>
);

function InlineView({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return <strong>{part.text}</strong>;
    case 'em':
      return <em>{part.text}</em>;
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer">
          {part.text}
        </a>
      );
    default:
      return <>{part.text}</>;
  }
}
