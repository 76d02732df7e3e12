import { lazy, Suspense } from 'react'
import { useCanvas } from '../canvas-context.ts'
import { Participants, SavingState } from '../canvas-status.tsx'
import { CanvasMenu } from '../tools/canvas-menu.tsx'
import { ModeHint } from '../tools/mode-hint.tsx'
import { Toolbar } from '../tools/toolbar.tsx'
import { ZoomBar } from '../tools/zoom-bar.tsx'
import { Following, FollowingFrame } from './following.tsx'
import { MiniMap } from './mini-map.tsx'
import { WorkflowStrip } from './workflow-strip.tsx'

const Presentation = lazy(() => import('../presentation.tsx'))
const CropDialog = lazy(() => import('../blocks/crop-dialog.tsx'))
const ConditionDialog = lazy(() => import('../workflows/condition-dialog.tsx'))
const StepDialog = lazy(() => import('../workflows/step-dialog.tsx'))

export function CanvasControls() {
  const { isGuest, editable } = useCanvas()
  const canEdit = editable.use()
  return (
    <>
      <div className="canvas-control pointer-events-none absolute inset-x-12 top-12 z-10 flex flex-col items-center gap-8 *:pointer-events-auto">
        <ModeHint />
        <Following />
        <WorkflowStrip />
      </div>
      <FollowingFrame />
      {isGuest && (
        <div className="absolute top-12 right-16 z-10 flex items-center gap-12">
          <SavingState />
          <Participants />
        </div>
      )}
      <div className="pointer-events-none absolute inset-x-0 bottom-0 z-10 @container">
        <div className="canvas-dock">
          <ZoomBar />
          {canEdit && <Toolbar />}
          <MiniMap />
        </div>
      </div>
      <CanvasMenu />
      <Overlays />
    </>
  )
}

/** Loaded when first opened. */
function Overlays() {
  const { ui } = useCanvas()
  const slideId = ui.presenting.use()
  const croppedBlockId = ui.cropping.use()
  const edgeId = ui.conditioning.use()
  const configuredBlockId = ui.configuring.use()
  return (
    <Suspense fallback={null}>
      {slideId !== null && <Presentation slideId={slideId} />}
      {croppedBlockId !== null && <CropDialog blockId={croppedBlockId} />}
      {edgeId !== null && <ConditionDialog key={edgeId} edgeId={edgeId} />}
      {configuredBlockId !== null && <StepDialog key={configuredBlockId} blockId={configuredBlockId} />}
    </Suspense>
  )
}
