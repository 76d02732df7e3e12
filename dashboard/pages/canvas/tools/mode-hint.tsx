import { t } from '../../../../contract/text.ts'
import { SHAPE_TOOLS, TOOLS, toolBlockType } from '../actions/tools.ts'
import { useCanvas } from '../canvas-context.ts'
import { isTouchDevice } from '../flow/focus.ts'
import { TYPE_LABELS } from '../model/block-labels.ts'
import { asFigureTool, type FigureTool } from '../model/figures.ts'

export function ModeHint() {
  const { ui } = useCanvas()
  const isConnecting = ui.connecting.use() !== null
  const activeTool = ui.tool.use()
  const tool = toolBlockType(activeTool)
  const figure = asFigureTool(activeTool)
  if (!isConnecting && !tool && !figure) return null
  return (
    <p
      role="status"
      className="pointer-events-none! w-fit max-w-full truncate rounded-round bg-selection-solid px-16 py-4 text-12 text-on-accent shadow-float"
    >
      {figure ? figureHint(figure) : tool ? addHint(TYPE_LABELS[tool]) : connectHint()}
    </p>
  )
}

function figureHint(tool: FigureTool): string {
  const name = [...TOOLS, ...SHAPE_TOOLS].find((each) => each.tool === tool)!.label
  if (tool === 'draw') return isTouchDevice() ? t`Draw with one finger.` : t`Drag to draw. Esc to finish.`
  return isTouchDevice()
    ? t`${name}: drag on the canvas, or tap to add.`
    : t`${name}: drag, or press Enter to add at the center. Hold Shift to keep proportions. Esc to cancel.`
}

const addHint = (type: string) =>
  isTouchDevice()
    ? t`${type}: tap the canvas to add.`
    : t`${type}: click to add, or press Enter to add at the center. Esc to cancel.`

const connectHint = () =>
  isTouchDevice()
    ? t`Tap the block to connect to.`
    : t`Click the block to connect to, or use Tab and Enter. Esc to cancel.`
