import { useStore } from '@xyflow/react'
import { Maximize, Minus, Plus } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { formatPercent } from '../../../components/amounts.ts'
import { useCanvas } from '../canvas-context.ts'
import { ToolButton } from './tool-button.tsx'

export function ZoomBar() {
  const { view, store } = useCanvas()
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100))
  return (
    <div
      role="toolbar"
      aria-label="Zoom"
      data-beside
      className="canvas-zoom flex items-center gap-px rounded-composer bg-float p-4 shadow-raised"
    >
      <ToolButton aria-label="Zoom out" title="Zoom out (−)" onClick={() => view.zoomOut()}>
        <Minus aria-hidden className="icon" />
      </ToolButton>
      <button
        type="button"
        title="Zoom to 100% (0)"
        aria-label={t`Zoom ${percent}%. Reset to 100%`}
        onClick={() => view.zoomTo(1)}
        className="h-32 w-48 rounded-control text-12 text-neutral-11 tabular-nums hover:bg-hover hover:text-neutral-12"
      >
        {formatPercent(percent / 100)}
      </button>
      <ToolButton aria-label="Zoom in" title="Zoom in (+)" onClick={() => view.zoomIn()}>
        <Plus aria-hidden className="icon" />
      </ToolButton>
      <ToolButton
        aria-label="Fit to screen"
        title="Fit to screen (Shift 1)"
        onClick={() => view.fit([...store.items.blocks.values()])}
      >
        <Maximize aria-hidden className="icon" />
      </ToolButton>
    </div>
  )
}
