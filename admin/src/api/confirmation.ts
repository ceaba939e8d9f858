/**
 * Repeats a request after the user has confirmed the session. The store rejects sensitive requests 15 minutes after the last
 * sign-in (access.md §3).
 */
import { type Client, StoreProblem } from 'purveyor/client';

/** Asks the user for the password, and sends it. @returns whether the session is confirmed now */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asked: Promise<boolean> | undefined;

/** Registers the dialog that asks. @returns a function that removes it */
export function setConfirmationDialog(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = undefined;
  };
}

/** Sends a request, and once again if the user confirms the session. Concurrent requests ask only once. */
async function withConfirmation<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof StoreProblem) || error.type !== 'reauthentication-required' || !ask) throw error;
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    if (!(await asked)) throw error;
    return send();
  }
}

type Writer = (...sent: unknown[]) => Promise<never>;

/** Returns a client whose writes ask for a confirmation if the store needs one. */
export function confirming(client: Client): Client {
  const writer = (name: 'post' | 'put' | 'patch' | 'delete') => {
    const write = client[name] as unknown as Writer;
    return (...sent: unknown[]) => withConfirmation(() => write(...sent));
  };
  return { ...client, post: writer('post'), put: writer('put'), patch: writer('patch'), delete: writer('delete') };
}
