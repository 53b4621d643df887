import { Component, type ReactNode } from 'react';
import { APP } from '../api/deployment.js';

/** Shows something else in the place of parts that failed while they were drawn. */
class Boundary extends Component<
  { readonly instead: ReactNode; readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}

/** Says that a page failed; the others go on. */
export function PageBoundary({ children }: { readonly children: ReactNode }) {
  const instead = (
    <div className="notice bad" role="alert">
      <div>
        <p className="strong">This page could not be shown</p>
        <p>The other pages still work. The error is in the console of the browser.</p>
        <LoadAgain />
      </div>
    </div>
  );
  return <Boundary instead={instead}>{children}</Boundary>;
}

/** Says that what is around the pages failed, or a page as it was left: React takes all of them away then. */
export function RootBoundary({ children }: { readonly children: ReactNode }) {
  const instead = (
    <main className="splash">
      <div className="notice bad" role="alert">
        <div>
          <h1>The dashboard could not be shown</h1>
          <p>The service and its clients are not affected. The error is in the console of the browser.</p>
          <p className="filters">
            <LoadAgain />
            <a className="button small" href={APP.href}>
              Go to Home
            </a>
          </p>
        </div>
      </div>
    </main>
  );
  return <Boundary instead={instead}>{children}</Boundary>;
}

function LoadAgain() {
  return (
    <button type="button" className="button small" onClick={() => location.reload()}>
      Load again
    </button>
  );
}
