import { lazy, Suspense } from 'react'
import { useCanvas } from './canvas-context.ts'

const Presentation = lazy(() => import('./present/presentation.tsx'))
const CropDialog = lazy(() => import('./crop/crop-dialog.tsx'))

/** Dialogs and panels above the canvas; loaded when they are first opened. */
export function CanvasOverlays() {
  const { ui } = useCanvas()
  const slideId = ui.presenting.use()
  const croppedBlockId = ui.cropping.use()
  return (
    <Suspense fallback={null}>
      {slideId !== null && <Presentation slideId={slideId} />}
      {croppedBlockId !== null && <CropDialog blockId={croppedBlockId} />}
    </Suspense>
  )
}
