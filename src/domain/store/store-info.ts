/** Information about the whole store (http.md §22): what documents and pages of the shop say about it. */
import { configured, type Field, type Group, object, resource, rules, text } from '../../engine/vocabulary.ts';
import { embeddedImage, prepareEmbeddedImage } from '../rules/catalog/image.ts';
import { addressFields } from '../rules/orders/address.ts';
import { checkStoreInfo, type StoreText, USES_OF_STORE_INFO } from '../rules/store/store-info.ts';

const CHANGED: readonly Group[] = ['all', 'read', 'update'];

const TEXT_LENGTH_MAX = 5000;

export const storeInfo = resource({
  name: 'StoreInfo',
  isOpen: true,
  group: 'Store',
  description:
    'Information about the whole store. Texts that were never set, or set to null, are those in the settings of the server.',
  fields: {
    currency: configured({
      schema: { type: 'string' },
      description: 'ISO 4217 code: currency of all prices and default currency of orders. Fixed at the first start.',
      example: 'USD',
      read: ({ settings }) => settings.currency ?? '',
    }),
    time_zone: configured({
      schema: { type: 'string' },
      description: 'IANA time zone of dates in input and output.',
      example: 'UTC',
      read: ({ timeZone }) => timeZone,
    }),
    weight_unit: configured({
      schema: { type: 'string', enum: ['kg', 'lb', 'oz', 'g'] },
      description: 'Unit of all weights.',
      example: 'kg',
      read: ({ settings }) => settings.weight_unit ?? '',
    }),
    dimension_unit: configured({
      schema: { type: 'string', enum: ['cm', 'mm', 'm', 'in'] },
      description: 'Unit of the width, length and height of products.',
      example: 'cm',
      read: ({ settings }) => settings.dimension_unit ?? '',
    }),
    seller: storeText('seller', 2000, {
      description: 'Name and address of the store on new invoices, on several lines.',
      example: 'Mug Shop\n1 Main Street\nLondon',
    }),
    invoice_keep_years: configured({
      schema: { type: 'integer', minimum: 0 },
      description: 'Number of years for which invoices are retained unchanged when their customer is erased.',
      example: 10,
      read: ({ settings }) => Number(settings.invoice_keep_years ?? 0),
    }),
    shop_url: {
      ...storeText('shop_url', 2048, {
        description: 'Address of the shop that shoppers visit. A slash at its end is removed.',
      }),
      // Links in mails to customers lead there, with tokens that set passwords.
      writtenWith: 'profiles:write',
    },
    tax_number: storeText('tax_number', 64, { description: 'Tax number of the store on new invoices.' }),
    invoice_header: storeText('invoice_header', TEXT_LENGTH_MAX, {
      description: 'Text above the lines of printed invoices.',
    }),
    invoice_footer: storeText('invoice_footer', TEXT_LENGTH_MAX, {
      description: 'Text at the end of printed invoices, such as terms of payment.',
    }),
    email_header: storeText('email_header', TEXT_LENGTH_MAX, { description: 'Text at the beginning of e-mails.' }),
    email_footer: storeText('email_footer', TEXT_LENGTH_MAX, { description: 'Text at the end of e-mails.' }),
    address: object(addressFields(), {
      nullable: true,
      groups: CHANGED,
      description: 'Address of the store. A partial update changes only the members that it contains.',
    }),
    logo: {
      ...embeddedImage({
        description: 'Logo on printed pages. null removes it. `alt` can be changed without sending a new file.',
      }),
      groups: CHANGED,
    },
  },
  seeds: [{}],
  routes: [{ path: '/store', single: true, operations: ['read', 'patch'], without: ['id'] }],
  rules: rules(USES_OF_STORE_INFO, { prepare: prepareEmbeddedImage('logo'), derive: checkStoreInfo }),
});

/** A text that the settings of the server have until a client sets it. */
function storeText(
  name: StoreText,
  lengthMax: number,
  options: { readonly description: string; readonly example?: string },
): Field {
  return text({
    ...options,
    nullable: true,
    lengthMax,
    groups: CHANGED,
    isCompleted: true,
    shownExample: '',
    complete: (value, _record, { settings }) => value ?? settings[name] ?? '',
  });
}
