/** Dates of reviews and their responses (catalog.md §13). */
import type { Draft } from '../../../engine/vocabulary.ts';

export const REVIEW_FIELDS = ['addition_date', 'response', 'response_date'] as const;

type ReviewDraft = Draft<(typeof REVIEW_FIELDS)[number]>;

export function deriveReviewDates(draft: ReviewDraft): void {
  if (draft.operation === 'create') draft.values.addition_date ??= draft.now;
  deriveResponseDate(draft);
}

/** A review has a response date exactly if it has a response. */
function deriveResponseDate({ sent, values, stored, now, violations }: ReviewDraft): void {
  const response = values.response === undefined ? (stored?.response ?? null) : values.response;
  const before = stored?.response_date ?? null;
  const { response_date: date } = sent;
  if (response === null) {
    if (date !== undefined && date !== null)
      violations.add('response_date', 'conflict', 'A review without a response has no response date. Omit it.');
    values.response_date = null;
  } else if (before === null) values.response_date = date ?? now;
  else if (date === null)
    violations.add(
      'response_date',
      'conflict',
      'A review with a response has a response date. Omit it, or send a date.',
    );
}
