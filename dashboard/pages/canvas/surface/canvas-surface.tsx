import { type KeyboardEvent, useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { useClipboard } from '../actions/clipboard.ts'
import { addBlock } from '../actions/editing.ts'
import { focusNextBlock } from '../actions/keyboard-navigation.ts'
import { toolBlockType } from '../actions/tools.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { SelectionBar } from '../tools/selection-bar.tsx'
import { CanvasControls } from './canvas-controls.tsx'
import { CanvasFlow } from './canvas-flow.tsx'
import { DrawLayer } from './draw-layer.tsx'
import { EmptyHint } from './empty-hint.tsx'
import { DropHint, useFileDrop } from './file-drop.tsx'
import { GuideLayer, useDragModifiers } from './guide-layer.tsx'
import { blockAt, isPainted } from './lod-layer.tsx'
import { PresenceLayer } from './presence-layer.tsx'
import { useCanvasKeys } from './use-canvas-keys.ts'

export function CanvasSurface({ canvas }: { canvas: OpenCanvas }) {
  const { view, ui, presenceSender, project } = canvas
  const canEdit = canvas.editable.use()
  const tool = ui.tool.use()
  const isConnecting = ui.connecting.use() !== null
  const isPresenting = ui.presenting.use() !== null
  const { isOver, ...drop } = useFileDrop(canvas)
  const { attach, isVisible } = useAttachedElement(canvas)
  useCanvasKeys(canvas)
  useClipboard(canvas)
  useDragModifiers(canvas)

  const onKeyDown = (event: KeyboardEvent) => {
    const isInControl = (event.target as Element).closest('[data-beside], textarea, input')
    if (event.key === 'Tab' && !isInControl && focusNextBlock(canvas, event.shiftKey)) event.preventDefault()
  }
  return (
    <div
      ref={attach}
      // The canvas handles the keyboard itself.
      role="application"
      aria-label={textWithNames`Canvas: ${project.name}`}
      aria-describedby="canvas-keys"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas needs the focus for its keyboard handling.
      tabIndex={0}
      data-tool={isConnecting ? 'connect' : toolBlockType(tool) ? 'place' : tool}
      data-presenting={isPresenting || undefined}
      onKeyDown={onKeyDown}
      onPointerMove={({ clientX, clientY }) => {
        const at = view.at({ x: clientX, y: clientY })
        ui.pointer.set(at)
        presenceSender.move(at)
        if (isPainted(canvas)) hover(canvas, blockAt(canvas, at))
      }}
      onDoubleClick={({ target, clientX, clientY }) => {
        const isPane = (target as Element).classList.contains('react-flow__pane')
        if (isPane && canEdit) addBlock(canvas, 'text', view.at({ x: clientX, y: clientY }))
      }}
      onPointerLeave={() => presenceSender.move(null)}
      {...drop}
      className="canvas relative min-h-0 flex-1 overflow-hidden bg-page -outline-offset-2"
    >
      <p id="canvas-keys" className="sr-only">
        Press Tab to move between blocks, Enter to edit, the arrow keys to move a block, and ? for all
        shortcuts.
      </p>
      {isVisible && (
        <CanvasFlow>
          <GuideLayer />
          <PresenceLayer />
          {canEdit && <SelectionBar />}
        </CanvasFlow>
      )}
      <DrawLayer />
      <EmptyHint />
      <CanvasControls />
      {isOver && <DropHint />}
    </div>
  )
}

/** The first viewport depends on the element's size, and on a phone an open panel hides the canvas. */
function useAttachedElement({ view }: OpenCanvas) {
  const [isVisible, setIsVisible] = useState(false)
  const [attach] = useState(() => (element: HTMLElement | null) => {
    if (!element) return undefined
    view.setElement(element)
    const observer = new ResizeObserver(([entry]) => {
      if (entry!.contentRect.width > 0) setIsVisible(true)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      view.setElement(null)
    }
  })
  return { attach, isVisible }
}

/** A painted block becomes a draggable node on hover. */
function hover({ ui }: OpenCanvas, id: string | null) {
  if (ui.hovered.get() !== id) ui.hovered.set(id)
}
