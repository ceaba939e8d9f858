/** Maximum number of variants of one product (catalog.md §12). In a file without imports, because browser code uses it. */
export const VARIANTS_MAX = 1000;
