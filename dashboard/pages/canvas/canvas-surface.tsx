import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { Name } from '../../components/name.tsx'
import { dropFiles } from './actions/drop-files.ts'
import { addBlock } from './actions/editing.ts'
import { focusNextBlock } from './actions/keyboard-navigation.ts'
import { useClipboard } from './actions/use-clipboard.ts'
import { EmptyHint } from './empty-hint.tsx'
import { DrawLayer } from './figures/draw-layer.tsx'
import { CanvasFlow } from './flow/canvas-flow.tsx'
import { blockAt, isPainted } from './flow/lod.ts'
import { MiniMap } from './flow/mini-map.tsx'
import { PresenceLayer } from './flow/presence-layer.tsx'
import type { OpenCanvas } from './open-canvas.ts'
import { CanvasOverlays } from './overlays.tsx'
import { Participants } from './participants.tsx'
import { SavingState } from './saving-state.tsx'
import { GuideLayer } from './snap/guide-layer.tsx'
import { useDragModifiers } from './snap/use-drag-modifiers.ts'
import { CanvasMenu } from './tools/canvas-menu.tsx'
import { ModeHint } from './tools/mode-hint.tsx'
import { SelectionBar } from './tools/selection-bar.tsx'
import { Toolbar } from './tools/toolbar.tsx'
import { blockTypeOf } from './tools/tools.ts'
import { ZoomBar } from './tools/zoom-bar.tsx'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { WorkflowStrip } from './workflow-strip.tsx'

/** The canvas with its toolbars, drop target, clipboard and keyboard shortcuts. */
export function CanvasSurface({ canvas }: { canvas: OpenCanvas }) {
  const { view, ui, presenceSender, project } = canvas
  const canEdit = canvas.editable.use()
  const tool = ui.tool.use()
  const isConnecting = ui.connecting.use() !== null
  const isPresenting = ui.presenting.use() !== null
  const { isOver, ...drop } = useFileDrop(canvas)
  // The initial viewport depends on the size; on a phone an open panel hides the canvas.
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
      aria-label={textWithNames`Canvas of ${project.name}`}
      aria-describedby="canvas-keys"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas needs the focus for its keyboard handling.
      tabIndex={0}
      data-tool={isConnecting ? 'connect' : blockTypeOf(tool) ? 'place' : tool}
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
      className="canvas relative min-h-0 flex-1 overflow-hidden bg-neutral-2 -outline-offset-2"
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
      <div className="canvas-control pointer-events-none absolute inset-x-12 top-12 z-10 flex flex-col items-center gap-8 *:pointer-events-auto">
        <ModeHint />
        <WorkflowStrip />
      </div>
      {canvas.isGuest && (
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
      <CanvasOverlays />
      {isOver && (
        <p className="pointer-events-none absolute inset-4 z-20 flex items-end justify-center rounded-panel pb-48 outline-2 outline-accent-text outline-dashed">
          <span className="rounded-round bg-accent px-16 py-8 text-13 text-on-accent shadow-float">
            Drop files to add them to <Name>{project.name}</Name>
          </span>
        </p>
      )}
    </div>
  )
}

/** A painted block becomes a node when the pointer is over it, so that it can be dragged. */
function hover({ ui }: OpenCanvas, id: string | null) {
  if (ui.hovered.get() !== id) ui.hovered.set(id)
}

function useFileDrop(canvas: OpenCanvas) {
  // `dragenter` of a child fires before `dragleave` of its parent, so the code counts both.
  const [depth, setDepth] = useState(0)
  const accepts = (event: DragEvent) => canvas.editable.get() && event.dataTransfer.types.includes('Files')
  return {
    isOver: depth > 0,
    onDragEnter: (event: DragEvent) => {
      if (accepts(event)) setDepth((now) => now + 1)
    },
    onDragLeave: (event: DragEvent) => {
      if (accepts(event)) setDepth((now) => Math.max(now - 1, 0))
    },
    onDragOver: (event: DragEvent) => {
      if (!accepts(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      setDepth(0)
      if (!accepts(event)) return
      event.preventDefault()
      dropFiles(canvas, event.dataTransfer, canvas.view.at({ x: event.clientX, y: event.clientY }))
    },
  }
}
