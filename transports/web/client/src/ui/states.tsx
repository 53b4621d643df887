import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { signIn } from '../api/deployment.js';
import { UNANSWERED, type Failure } from '../api/failure.js';
import { ResultState, useAnnounced } from './announce.js';
import { counted } from './format.js';
import { Icon } from './icon.js';
import { Message } from './message.js';

/** Advice by status, beside the message of the service. */
const ADVICE: Readonly<Record<number, string>> = {
  0: 'Is it running? This page retries automatically.',
  404: 'It may have been deleted, or you may not see it any more.',
  429: 'The rate limit is reached.',
  503: 'It is starting or busy.',
};

function adviceOn(error: Failure): string | undefined {
  if (error.isChangedSince) return 'Somebody else changed it. Look at it as it is now, then try again.';
  if (error.code === 'RESOURCE_EXHAUSTED')
    return 'Waiting does not help. Health shows how much of each quota is used.';
  if (error.code === UNANSWERED)
    return 'When the service is back, check whether it was done, then try again.';
  const advice = ADVICE[error.status];
  if (![429, 503].includes(error.status)) return advice;
  const when = error.retryAfter ? `in ${counted(error.retryAfter, 'second')}` : 'in a moment';
  return `${advice} Try again ${when}.`;
}

/** What went wrong and what to do, in place. */
export function Failed({
  error,
  again,
  onSuggestion,
  verbatim = false,
  ofForm = false,
}: {
  readonly error: Failure;
  readonly again?: () => void;
  /** Goes to what the service suggests instead. */
  readonly onSuggestion?: (id: string) => void;
  /** Keeps the names of tools, for a person who calls them by name. */
  readonly verbatim?: boolean;
  /** What a person sent failed: it is brought into sight, with the focus unless the person is at another field by now. */
  readonly ofForm?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!ofForm) return;
    // A button that is disabled while it sends loses the focus with the next frame: a fast answer comes before, a slow one after.
    const isTyping = document.activeElement?.matches('input, textarea, select');
    if (isTyping) box.current?.scrollIntoView({ block: 'nearest' });
    else box.current?.focus();
  }, [ofForm]);
  const message = verbatim ? error.message : <Message text={error.message} />;
  return (
    <div ref={box} className="notice bad" role="alert" tabIndex={ofForm ? -1 : undefined}>
      <Icon name="alert" />
      <div>
        <p className="strong">{error.status === 401 ? 'Your session has ended' : message}</p>
        <p>{error.status === 401 ? 'Sign in again; you come back to this page.' : adviceOn(error)}</p>
        {error.suggestions.length > 0 && (
          <Suggestions ids={error.suggestions} {...(onSuggestion && { onSuggestion })} />
        )}
        {error.status === 401 ? (
          <button type="button" className="button small" onClick={signIn}>
            Sign in
          </button>
        ) : (
          again && (
            <button type="button" className="button small" onClick={again}>
              <Icon name="again" /> Try again
            </button>
          )
        )}
      </div>
    </div>
  );
}

const MAX_SUGGESTED = 5;

function Suggestions({
  ids,
  onSuggestion,
}: {
  readonly ids: readonly string[];
  readonly onSuggestion?: (id: string) => void;
}) {
  return (
    <>
      <p>Open one of these</p>
      <ul className="suggested">
        {ids.slice(0, MAX_SUGGESTED).map((id) => (
          <li key={id} className="mono">
            {onSuggestion ? (
              <button type="button" className="link mono" onClick={() => onSuggestion(id)}>
                {id}
              </button>
            ) : (
              id
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A place that is empty, and how to fill it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useAnnounced(title);
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      {children}
    </div>
  );
}

/** Lines in the place of what is loading. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** From when on an answer is slow to a person. */
const SLOW_MS = 400;

/** Says of what is shown that it is not what was asked for; nothing where the answer is quick. */
function Waiting() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return <output className="waiting">{isSlow && 'Loading. This is the previous result.'}</output>;
}

/**
 * A result in its states: loading, failed, or there; one that is there stays while it is read again. One of other
 * arguments that stays until theirs is there (`keep`) says so, after a moment.
 */
export function Loaded<T>({
  query,
  lines,
  onSuggestion,
  children,
}: {
  readonly query: UseQueryResult<T, Failure>;
  readonly lines?: number;
  /** Goes to what the service suggests where the query asks for what is absent. */
  readonly onSuggestion?: (id: string) => void;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error, refetch, isPlaceholderData } = query;
  const failed = error && (
    <Failed error={error} again={() => void refetch()} {...(onSuggestion && { onSuggestion })} />
  );
  if (data !== undefined)
    return (
      <ResultState value={isPlaceholderData ? 'previous' : 'current'}>
        {failed}
        {isPlaceholderData && <Waiting />}
        {children(data)}
      </ResultState>
    );
  if (failed) return failed;
  return <Skeleton {...(lines !== undefined && { lines })} />;
}
