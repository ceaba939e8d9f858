/** Runs a request, and says in the language of the page why the store rejects it. */
import { StoreProblem } from 'purveyor/client';
import { useTranslate } from 'react-admin';

/** @param conflict a translated message for a 409 */
export type Explained = <T>(request: () => Promise<T>, conflict?: string) => Promise<T>;

/** The function throws an `Error` with the message; other errors are those of the request. */
export function useExplained(): Explained {
  const translate = useTranslate();
  return async (request, conflict) => {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof StoreProblem)) throw error;
      if (error.status === 409 && conflict !== undefined) throw new Error(conflict, { cause: error });
      if (error.type === 'insufficient-scope') throw new Error(translate('staff.lacking'), { cause: error });
      if (error.status === 429) throw new Error(translate('session.tooMany'), { cause: error });
      throw error;
    }
  };
}
