/**
 * Parts of the printable pages of orders, by language. A language without labels falls back to the store's default language,
 * then to English.
 */
import type { Languages, PrintedBlock, Value } from '../../../engine/vocabulary.ts';

const LABELS = [
  'invoice',
  'credit_note',
  'packing_slip',
  'of',
  'order',
  'shipment',
  'date',
  'seller',
  'tax_number',
  'billing',
  'shipping',
  'carrier',
  'tracking',
  'item',
  'sku',
  'amount',
  'price',
  'subtotal',
  'sub_total',
  'included',
  'total',
  'surcharge_shipping',
  'surcharge_discount',
  'surcharge_tax',
  'surcharge_handling',
] as const;

type Labels = Readonly<Record<(typeof LABELS)[number], string>>;

/** The labels by language, in the order of `LABELS`. */
const LABELS_BY_LANGUAGE: Readonly<Record<string, string>> = {
  en: 'Invoice|Credit note|Packing slip|Of invoice|Order|Shipment|Date|Seller|Tax number|Bill to|Ship to|Carrier|Tracking number|Item|SKU|Quantity|Price|Amount|Subtotal|included|Total|Shipping|Discount|Tax|Handling',
  de: 'Rechnung|Gutschrift|Lieferschein|Zu Rechnung|Bestellung|Sendung|Datum|Verkäufer|Steuernummer|Rechnungsadresse|Lieferadresse|Versand durch|Sendungsnummer|Artikel|Artikelnr.|Menge|Preis|Betrag|Zwischensumme|enthalten|Summe|Versand|Rabatt|Steuer|Bearbeitung',
  fr: 'Facture|Avoir|Bon de livraison|Sur facture|Commande|Envoi|Date|Vendeur|Numéro fiscal|Facturé à|Livré à|Transporteur|Numéro de suivi|Article|Référence|Quantité|Prix|Montant|Sous-total|compris|Total|Livraison|Remise|Taxe|Frais de traitement',
  es: 'Factura|Nota de crédito|Albarán|De la factura|Pedido|Envío|Fecha|Vendedor|Número fiscal|Facturar a|Enviar a|Transportista|Número de seguimiento|Artículo|Referencia|Cantidad|Precio|Importe|Subtotal|incluido|Total|Envío|Descuento|Impuesto|Gastos de gestión',
};

/** Records inside a record. */
export type Lines = readonly Readonly<Record<string, Value>>[];

/** Returns the labels in the reader's language, and which language that is. */
export function labelsFor({ language, defaultLanguage }: Languages): [language: string, labels: Labels] {
  return labelsIn(language) ?? labelsIn(defaultLanguage) ?? labelsIn('en')!;
}

/** Falls back from a regional language to its base language: `pt-BR` to `pt`. */
function labelsIn(language: string): [string, Labels] | undefined {
  const code = language in LABELS_BY_LANGUAGE ? language : language.slice(0, 2);
  const texts = LABELS_BY_LANGUAGE[code]?.split('|');
  return texts && [code, Object.fromEntries(LABELS.map((label, index) => [label, texts[index]!])) as Labels];
}

/** Leaves out blocks of lines without text. */
export function withoutEmpty(blocks: readonly PrintedBlock[]): PrintedBlock[] {
  return blocks.filter((block) => !('lines' in block) || block.lines.some((line) => line !== ''));
}

/** Returns the name of an item with its options on further lines. */
export function nameWithOptions({ name, options }: Readonly<Record<string, Value>>): string {
  return [String(name), ...(options as Lines).map((option) => `${option.name}: ${option.value}`)].join('\n');
}

/** Returns the name of a surcharge. Without a name of its own, it has its type in capitals, which is printed as a word. */
export function surchargeName({ name, type }: Readonly<Record<string, Value>>, labels: Labels): string {
  return name === String(type).toUpperCase() ? labels[`surcharge_${type}` as keyof Labels] : String(name);
}

/** Returns the lines of a postal address with the country's name in this language; none for null. */
export function addressLines(address: Value, language: string): string[] {
  if (address === null) return [];
  const { company, title, firstname, lastname, street, zipcode, city, state_name, country_code } = address as Readonly<
    Record<string, Value>
  >;
  const joined = (...parts: (Value | undefined)[]): string => parts.filter(Boolean).join(' ');
  return [
    joined(company),
    joined(title, firstname, lastname),
    joined(street),
    joined(zipcode, city),
    joined(state_name),
    typeof country_code === 'string' ? countryName(country_code, language) : '',
  ].filter((line) => line !== '');
}

/** Returns the code itself if it belongs to no country. */
function countryName(code: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
}
