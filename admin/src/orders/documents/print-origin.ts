/** The state of the address of the print page if it was opened from the order list. */
export const FROM_LIST = { isFromList: true } as const;
