/** Reads the records that the tax screens name. */
import { readAll } from '../api/runtime-requests.ts';

export const ZONES_KEY = ['zones'] as const;
export const readZones = () => readAll('/zones');

export const RATES_KEY = ['tax_rates'] as const;
export const readRates = () => readAll('/tax_rates');

export const TAX_CLASSES_KEY = ['tax_classes', 'all'] as const;
export const readTaxClasses = () => readAll('/tax_classes');

export const MEMBERSHIPS_KEY = ['memberships', 'all'] as const;
export const readMemberships = () => readAll('/memberships');
