import type { LoadedProduct } from './product-form.ts';

export interface TabProps {
  readonly loaded: LoadedProduct;
  /**
   * Called after a tab has changed the product without the form.
   * @param fieldPrefix the beginning of the names of the form's fields that were changed
   */
  onChanged(fieldPrefix?: string): Promise<void>;
}
