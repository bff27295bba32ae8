/** Contains an error to one view: the view shows it, and the rest of the page keeps working. */
import { Component, type ComponentChildren } from 'preact';
import { Empty } from './parts.tsx';

interface Props {
  readonly children: ComponentChildren;
}

export class Boundary extends Component<Props, { readonly fault: string }> {
  override state = { fault: '' };

  static override getDerivedStateFromError(error: unknown) {
    return { fault: String(error) || 'It has no words.' };
  }

  override render() {
    const { fault } = this.state;
    if (fault === '') return this.props.children;
    return (
      <div role="alert">
        <Empty title="This view cannot be shown.">
          <p>This is a bug in the page; runs are not affected. It says: {fault}</p>
          <button type="button" onClick={() => this.setState({ fault: '' })}>
            Try again
          </button>
        </Empty>
      </div>
    );
  }
}
