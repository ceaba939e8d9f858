import { declareFiles } from '../support/together.ts';

await declareFiles(
  ...['api/product', 'api/order-creation', 'api/order-statuses', 'api/order-parts', 'api/filters', 'api/sorting'],
  ...['api/conditional', 'api/validation', 'api/strict-json', 'api/problems', 'api/pages', 'api/search'],
);
