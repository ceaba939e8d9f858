/** Scopes and fields in words. Names that have no message are shown as they are, without underscores. */
import { useTranslate } from 'react-admin';

interface ScopeNames {
  /** @param family `*` for all of them */
  family(family: string): string;
  operation(operation: string): string;
  /** @param field such as `Product.cost_price` */
  resource(field: string): string;
  field(field: string): string;
}

export function useScopeNames(): ScopeNames {
  const translate = useTranslate();
  return {
    family: (family) =>
      family === '*' ? translate('settings.everyFamily') : translate(`family.${family}`, { _: plain(family) }),
    operation: (operation) =>
      operation === '*'
        ? translate('settings.everyOperation')
        : translate(`settings.scope.${operation}`, { _: plain(operation) }),
    resource: (field) => translate(`resource.${partsOf(field)[0]}`, { _: partsOf(field)[0] }),
    field: (field) => translate(`field.${partsOf(field)[1]}`, { _: plain(partsOf(field)[1]) }),
  };
}

/** The resource and the name of a field. */
function partsOf(field: string): readonly [resource: string, name: string] {
  const [resource, name] = field.split('.');
  return [resource!, name!];
}

function plain(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
