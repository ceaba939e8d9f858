/** A picture that a category has one of, created or replaced by the same POST (catalog.md §5). */
import { partOf, type Resource, resource } from '../../../engine/vocabulary.ts';
import { decodeOne, imageRules, imageUpload } from './image.ts';

/** @param noun its word in sentences and the last segment of its path */
export function categoryImage(name: string, noun: string): Resource {
  return resource({
    name,
    group: 'Catalog',
    description: `The ${noun} of a category. The service keeps its own copy of the file and serves it at \`url\`.`,
    fields: { category: partOf('Category'), ...decodeOne() },
    routes: [
      {
        path: `/categories/{category_id}/${noun}`,
        single: true,
        again: 'replace',
        parents: { category_id: 'category' },
        operations: ['read', 'create', 'remove'],
      },
    ],
    uniqueTogether: ['category'],
    upload: imageUpload,
    rules: imageRules,
  });
}
