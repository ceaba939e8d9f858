/** Former clean URLs of products and categories (catalog.md §16). Each is the former URL of one record at most. */
import { reference, resource, text, timestamp } from '../../engine/vocabulary.ts';

export const oldUrl = resource({
  name: 'OldUrl',
  description: 'A former clean URL of a product or category.',
  fields: {
    clean_url: text({ groups: [], unique: true }),
    until: timestamp({ groups: [], nullable: true }),
    product: reference({ to: 'Product', groups: [], nullable: true, onDelete: 'cascade' }),
    category: reference({ to: 'Category', groups: [], nullable: true, onDelete: 'cascade' }),
  },
  routes: [],
  unpublished: true,
  fewPerRecord: true,
});
