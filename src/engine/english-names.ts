/** Names of resources in English sentences and operation ids: `TaxClass` → "tax class", "a tax class", "TaxClasses". */

export function words(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
}

export function withArticle(name: string): string {
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${words(name)}`;
}

export function plural(name: string): string {
  if (/(ss|x|ch|sh|us)$/.test(name)) return `${name}es`;
  if (name.endsWith('s')) return name;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** `payment_status`, `not-found` → `PaymentStatus`, `NotFound`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase());
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Joins the given sentences, skipping empty ones. */
export function sentences(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter(Boolean).join(' ');
}

const SHOWN_LENGTH_MAX = 60;

/** Truncates client-supplied text for use in a message. */
export function shortened(text: string): string {
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}
