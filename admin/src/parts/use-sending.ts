/** A few fields that are sent at once: busy meanwhile, a refusal beside its field, any other apart. */
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useFieldErrors, useSentence } from './sentence.ts';

export interface Sending {
  readonly isBusy: boolean;
  /** The refusal that belongs to none of the fields, as a sentence. */
  readonly problem: string | undefined;
  /** For a text field: whether the store refused it, and the line below it. */
  below(field: string, help?: string): { error: boolean; helperText: string | undefined };
  submit(event: FormEvent): Promise<void>;
}

/**
 * @param fields those that the form has, by their names in the request
 * @param act sends them; a refusal that it throws is told, and what was typed stays
 */
export function useSending(fields: readonly string[], act: () => Promise<unknown>): Sending {
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();
  return {
    isBusy,
    problem,
    below: (field, help) => ({ error: errors[field] !== undefined, helperText: errors[field] ?? help }),
    async submit(event) {
      event.preventDefault();
      // A dialog over a form is below that form for React: its events must not send it.
      event.stopPropagation();
      setBusy(true);
      setErrors({});
      setProblem(undefined);
      try {
        await act();
      } catch (error) {
        const found = error instanceof StoreProblem ? fieldErrors(error) : {};
        setErrors(found);
        if (!fields.some((field) => field in found)) setProblem(sentence(error));
      } finally {
        setBusy(false);
      }
    },
  };
}
