import { Link } from 'wouter';
import { Page } from '../shell/page.js';
import { Empty } from '../ui/states.js';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address">
        <p>
          <Link href="/">Go home</Link>, or press <kbd>Ctrl</kbd> <kbd>K</kbd> to find a page.
        </p>
      </Empty>
    </Page>
  );
}
