/** Turns errors of requests into messages: translated if a translation exists, otherwise as the store wrote them. */
import { StoreProblem, StoreUnreachable, type Violation } from 'purveyor/client';
import { useCallback } from 'react';
import { useTranslate } from 'react-admin';

type Translate = ReturnType<typeof useTranslate>;

/** Violations whose message contains no value of the request, so that it can be translated. */
const TRANSLATED_CODES = ['blank', 'required', 'null', 'not_unique'];

function violationMessage(translate: Translate, { code, message }: Violation): string {
  return TRANSLATED_CODES.includes(code) ? translate(`violation.${code}`) : message;
}

/** Returns a function that describes a violation. */
export function useViolationMessage(): (violation: Violation) => string {
  const translate = useTranslate();
  return useCallback((violation) => violationMessage(translate, violation), [translate]);
}

/** Returns a function that describes anything a request can throw. */
export function useErrorMessage(): (error: unknown) => string {
  const translate = useTranslate();
  return useCallback(
    (error) => {
      if (!(error instanceof StoreProblem))
        return error instanceof StoreUnreachable
          ? translate('state.unreachable')
          : String((error as Error)?.message ?? error);
      if (error.status === 404) return translate('state.notFound');
      const [first] = error.violations;
      return first ? violationMessage(translate, first) : error.detail;
    },
    [translate],
  );
}

/** Returns a function that maps violations to one message per top-level field: the first of each field. */
export function useFieldErrors(): (error: StoreProblem) => Record<string, string> {
  const translate = useTranslate();
  return useCallback(
    (error) => {
      const errors: Record<string, string> = {};
      for (const violation of error.violations) {
        const field = /^[^.[]+/.exec(violation.propertyPath)?.[0] ?? violation.propertyPath;
        errors[field] ??= violationMessage(translate, violation);
      }
      return errors;
    },
    [translate],
  );
}
