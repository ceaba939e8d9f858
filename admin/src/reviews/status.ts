/** The statuses of a review (catalog.md §13). */
export const PENDING = 0;
export const APPROVED = 1;

export const isApproved = ({ status }: { readonly status: number }): boolean => status === APPROVED;
