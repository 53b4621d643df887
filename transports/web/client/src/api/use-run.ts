import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import type { Failure } from './failure.js';

/** Calls, and tells the result; `isShown`: whether the component that called is still there. A failure is in `error` too. */
type Run<In, Out> = (
  input: In,
  onSuccess?: (result: Out, isShown: boolean) => void,
  onError?: (error: Failure, isShown: boolean) => void,
) => void;

/**
 * `run` of a mutation, whose callbacks are called also where the component is gone by then. Those of `mutate` are not:
 * a list that is read again takes away what asked for it, and a person closes a form that waits.
 */
export function useRun<Out, In>({ mutateAsync }: UseMutationResult<Out, Failure, In>): Run<In, Out> {
  const isShown = useIsShown();
  return (input, onSuccess, onError) =>
    void mutateAsync(input).then(
      (result) => onSuccess?.(result, isShown.current),
      (error: Failure) => onError?.(error, isShown.current), // calls reject with no other
    );
}

/** Whether the component is there: for what runs later. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
