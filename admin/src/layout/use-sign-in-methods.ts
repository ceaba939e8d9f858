/** The ways to sign in that the store offers. */
import { useEffect, useState } from 'react';
import { requestSession, signInMethods } from '../api/client.ts';

/** @returns undefined until they are known */
export function useSignInMethods(): readonly string[] | undefined {
  const [methods, setMethods] = useState(signInMethods);
  useEffect(() => {
    // The store reports them only to clients without a session.
    if (!methods)
      void requestSession('GET')
        .catch(() => undefined)
        .then(() => setMethods(signInMethods()));
  }, [methods]);
  return methods;
}
