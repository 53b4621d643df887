import { useEffect, type ReactNode } from 'react';
import { announce } from '../ui/announce.js';

/** The page that a screen reader was told of, or read by itself: the first one. */
let announced: string | undefined;

/** The frame of a page: its heading, a sentence on it, and what one can do there. */
export function Page({
  title,
  tab,
  about,
  actions,
  wide = false,
  children,
}: {
  readonly title: string;
  /** The part of the page that is shown, for the title of the window: each has its own address. */
  readonly tab?: string | undefined;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** True: as wide as the window, for pages of columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = [tab, title, 'Context memory'].filter((part) => part !== undefined).join(' – ');
  }, [tab, title]);
  useEffect(() => {
    if (announced !== undefined && announced !== title) announce(title);
    announced = title;
  }, [title]);
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {about !== undefined && <p className="muted">{about}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
