/** Files that shops offer on product pages, such as manuals (catalog.md §15). */
import { file, type Group, integer, partOf, resource, rules, text } from '../../engine/vocabulary.ts';
import {
  ATTACHMENT_EXAMPLE,
  addressOfAttachment,
  checkAccess,
  deriveAttachment,
  EVERYONE,
  prepareAttachment,
  USES_OF_ATTACHMENT,
} from '../rules/catalog/attachment.ts';

const ATTACHMENTS_MAX = 100;

const READ_ONLY: readonly Group[] = ['all', 'read'];
const INSERTED: readonly Group[] = ['all', 'insert'];

export const productAttachment = resource({
  name: 'ProductAttachment',
  group: 'Catalog',
  description: 'A file that the shop offers on the page of a product, such as a manual.',
  fields: {
    title: text({
      required: true,
      notBlank: true,
      lengthMax: 128,
      translated: true,
      description: 'Title of the file.',
      example: 'Manual',
    }),
    description: text({
      lengthMax: 128,
      translated: true,
      description: 'Description of the file.',
      example: 'How to install the product',
    }),
    position: integer({ description: 'Sort order among the product’s attachments.' }),
    access: text({
      default: EVERYONE,
      form: { pattern: /^(?:A|R|[1-9]\d{0,15})$/, expected: 'A, R or the id of a membership' },
      description: 'Who may download the file: `A` everyone, `R` registered customers, or the id of a membership.',
      example: EVERYONE,
    }),
    url: file({
      description:
        'URL of the file. With `access` `A` it is public. Otherwise it is the path below the attachment, which needs a key.',
      example: ATTACHMENT_EXAMPLE.url,
      complete: addressOfAttachment,
      completedFrom: ['product', 'access', 'filename'],
    }),
    filename: text({
      groups: ['all', 'read', 'insert'],
      description:
        'Name of the file. Required with `attachment`; with `external_url`, the default is the last segment of its path. The extension must be one that the store accepts.',
      example: ATTACHMENT_EXAMPLE.filename,
    }),
    size: integer({ groups: READ_ONLY, description: 'Bytes.', example: ATTACHMENT_EXAMPLE.size }),
    mime_type: text({ groups: READ_ONLY, description: 'Media type.', example: ATTACHMENT_EXAMPLE.mimeType }),
    external_url: text({
      groups: INSERTED,
      transient: true,
      description: 'HTTP or HTTPS URL of a file. The store downloads it once.',
    }),
    attachment: text({
      groups: INSERTED,
      transient: true,
      description: 'The file, base64-encoded.',
      example: ATTACHMENT_EXAMPLE.attachment,
    }),
    product: partOf('Product', { isIndependent: true }),
  },
  routes: [
    {
      path: '/products/{product_id}/attachments/{id}',
      parents: { product_id: 'product' },
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
  ],
  defaultOrder: ['position'],
  siblingsMax: {
    count: ATTACHMENTS_MAX,
    field: 'title',
    message: `A product can have at most ${ATTACHMENTS_MAX} attachments. Delete one first.`,
  },
  upload: {
    part: 'file',
    insteadOf: ['external_url', 'attachment', 'filename'],
    description: 'The file. Its name must have an extension that the store accepts.',
    isAttachment: true,
  },
  download: {
    summary: 'Download the file of an attachment',
    ...{ file: 'url', filename: 'filename', mediaType: 'mime_type', openWhere: { access: EVERYONE } },
  },
  rules: rules(USES_OF_ATTACHMENT, { prepare: prepareAttachment, derive: deriveAttachment, check: checkAccess }),
});
