/** Loads the dialog for cropping when it is opened. */
import { type ComponentProps, lazy, Suspense } from 'react';

const Content = lazy(() => import('./crop-dialog-content.tsx'));

export function CropDialog(props: ComponentProps<typeof Content>) {
  return (
    <Suspense fallback={null}>
      <Content {...props} />
    </Suspense>
  );
}
