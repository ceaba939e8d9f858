import { declareFiles } from '../support/together.ts';

await declareFiles(
  'architecture',
  ...[
    'engine/contradictions',
    'engine/openapi',
    'engine/promises',
    'engine/generated',
    'engine/interface',
    'engine/reach',
    'client/declarations',
  ],
  ...[
    'api/names',
    'api/category',
    'api/attribute',
    'api/language',
    'api/links',
    'api/translations',
    'api/put-and-patch',
  ],
);
