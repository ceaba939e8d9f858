/**
 * The store's input and output, for TypeScript. Made from the declarations by `npm run renew`, which is to be
 * run again when they change; not written by hand.
 */
export {};
