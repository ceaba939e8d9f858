/** A text with HTML, edited visually or as source. The editor is loaded when the first such field is shown. */
import { lazy, Suspense } from 'react';
import { LoadingSkeleton } from '../components/loading.tsx';
import type { RichTextProps } from './rich-text-editor.tsx';

const RichTextEditor = lazy(() => import('./rich-text-editor.tsx'));

export function RichTextInput(props: RichTextProps) {
  return (
    <Suspense fallback={<LoadingSkeleton lines={2} />}>
      <RichTextEditor {...props} />
    </Suspense>
  );
}
