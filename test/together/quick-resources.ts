import { declareFiles } from '../support/together.ts';

await declareFiles('api/reference-examples');
