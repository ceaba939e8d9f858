/** How many variants a product has at most (catalog.md §12). It stands alone, so that imports take it along into a browser. */
export const VARIANTS_MAX = 1000;
