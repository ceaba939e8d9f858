/** Asks before the user leaves a screen on which something would be lost: by a link, the back button, or closing the window. */
import { useEffect, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { useBlocker } from 'react-router-dom';

/** @param message key of the question @returns a function that allows leaving, for example after a save */
export function useLeaveGuard(isNeeded: boolean, message: string): () => void {
  const isAllowed = useRef(false);
  const translate = useTranslate();

  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent): void => {
      if (!isAllowed.current) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isNeeded && !isAllowed.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (confirm(translate(message))) blocker.proceed();
    else blocker.reset();
  }, [blocker, message, translate]);

  return () => {
    isAllowed.current = true;
  };
}
