/** The store's refusals as sentences in the person's language, where there is one, else as the store says them. */
import { StoreProblem, type Violation } from 'purveyor/client';
import { useCallback } from 'react';
import { useTranslate } from 'react-admin';

type Translate = ReturnType<typeof useTranslate>;

/** Rules whose sentence says nothing of the value, so that it can be said in every language. */
const SAID_HERE = ['blank', 'required', 'not_unique'];

export function violationSentence(translate: Translate, { code, message }: Violation): string {
  return SAID_HERE.includes(code) ? translate(`violation.${code}`) : message;
}

/** Gives a function that makes a sentence of anything that a request can throw. */
export function useSentence(): (error: unknown) => string {
  const translate = useTranslate();
  return useCallback(
    (error) => {
      if (!(error instanceof StoreProblem))
        return error instanceof TypeError ? translate('state.unreachable') : String((error as Error)?.message ?? error);
      if (error.status === 404) return translate('state.notFound');
      const [first] = error.violations;
      return first ? violationSentence(translate, first) : error.detail;
    },
    [translate],
  );
}

/**
 * The violations as a form wants them: a sentence for each field, the first of a field. `names` are the fields that the form has;
 * what it has not comes back under `rest`.
 */
export function useFieldErrors(): (error: StoreProblem) => Record<string, string> {
  const translate = useTranslate();
  return useCallback(
    (error) => {
      const errors: Record<string, string> = {};
      for (const violation of error.violations) {
        const field = /^[^.[]+/.exec(violation.propertyPath)?.[0] ?? violation.propertyPath;
        errors[field] ??= violationSentence(translate, violation);
      }
      return errors;
    },
    [translate],
  );
}
