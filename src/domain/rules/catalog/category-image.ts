/** The single image of a category. POST creates or replaces it (catalog.md §5). */
import { partOf, type Resource, resource } from '../../../engine/vocabulary.ts';
import { imageFields, imageRules, imageUpload } from './image.ts';

/** @param noun - word used in descriptions; also the last segment of the path */
export function categoryImage(name: string, noun: string): Resource {
  return resource({
    name,
    group: 'Catalog',
    description: `The ${noun} of a category. The store saves a copy of the file and serves it at \`url\`.`,
    fields: { category: partOf('Category'), ...imageFields() },
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
