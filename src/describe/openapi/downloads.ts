/** Operations that return the file of a record. */
import { type Download, type ModelRoute, words } from '../../engine/index.ts';
import type { DocumentContext } from './components.ts';
import { headersNamed } from './headers.ts';
import { headerParameters, pathParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';

/** The last segment of the path. */
export const DOWNLOAD_NAME = 'file';

const FILE_HEADERS = ['ETag', 'Accept-Ranges', 'Content-Disposition'] as const;

/** @param tag - tag of the operation in the reference */
export function downloadOperation(
  context: DocumentContext,
  route: ModelRoute,
  { summary, mediaType }: Download,
  tag: string,
): object {
  const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
  return {
    tags: [tag],
    operationId: `download${route.resource.name}`,
    summary,
    description: `Returns the file of the ${words(route.resource.name)} with its \`${mediaType}\`, to be saved and not opened. It supports ranges, and responds to any \`Accept\`.`,
    parameters: [...pathParameters(route, 'item'), headerParameters.ifNoneMatch],
    responses: {
      200: { description: 'The file.', headers: headersNamed(context, FILE_HEADERS), content },
      206: {
        description: 'The requested range of the file.',
        headers: headersNamed(context, [...FILE_HEADERS, 'Content-Range']),
        content,
      },
      304: {
        description: 'Not modified since the response with this `ETag`.',
        headers: headersNamed(context, FILE_HEADERS),
      },
      416: {
        description: 'The range is outside the file.',
        headers: headersNamed(context, [...FILE_HEADERS, 'Content-Range']),
      },
      ...problemResponses(context),
    },
  };
}
