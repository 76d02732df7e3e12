import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { addBlock } from './actions/editing.ts'
import { walk } from './actions/keyboard-navigation.ts'
import { placeFiles } from './actions/place-files.ts'
import { useClipboard } from './actions/use-clipboard.ts'
import { EmptyHint } from './empty-hint.tsx'
import { CanvasFlow } from './flow/canvas-flow.tsx'
import { blockAt, isPainted } from './flow/lod.ts'
import { MiniMap } from './flow/mini-map.tsx'
import { OthersLayer } from './flow/presence-layer.tsx'
import { LiveBanner } from './live-banner.tsx'
import type { OpenCanvas } from './open-canvas.ts'
import { People } from './people.tsx'
import { SavingState } from './saving-state.tsx'
import { CanvasMenu } from './tools/canvas-menu.tsx'
import { ModeHint } from './tools/mode-hint.tsx'
import { SelectionBar } from './tools/selection-bar.tsx'
import { Toolbar } from './tools/toolbar.tsx'
import { placed } from './tools/tools.ts'
import { ZoomBar } from './tools/zoom-bar.tsx'
import { useCanvasKeys } from './use-canvas-keys.ts'

/** The canvas with its tools around it; what is dropped or pasted onto it; and the keys. */
export function CanvasSurface({ canvas }: { canvas: OpenCanvas }) {
  const { view, desk, whereabouts, project } = canvas
  const canEdit = canvas.editable.use()
  const tool = desk.tool.use()
  const isConnecting = desk.connecting.use() !== null
  const { isOver, ...drop } = useFileDrop(canvas)
  // How much room there is decides where one looks from first; behind a panel on a phone there is none yet.
  const [isThere, setIsThere] = useState(false)
  const [fill] = useState(() => (element: HTMLElement | null) => {
    if (!element) return undefined
    view.fill(element)
    const room = new ResizeObserver(([seen]) => {
      if (seen!.contentRect.width > 0) setIsThere(true)
    })
    room.observe(element)
    return () => {
      room.disconnect()
      view.fill(null)
    }
  })
  useCanvasKeys(canvas)
  useClipboard(canvas)

  const press = (event: KeyboardEvent) => {
    const isElsewhere = (event.target as Element).closest('[data-beside], textarea, input')
    if (event.key === 'Tab' && !isElsewhere && walk(canvas, event.shiftKey)) event.preventDefault()
  }
  return (
    <div
      ref={fill}
      // Keys mean things here that they mean nowhere else.
      role="application"
      aria-label={`Canvas of ${project.name}`}
      aria-describedby="canvas-keys"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: this is where the keys begin.
      tabIndex={0}
      data-tool={isConnecting ? 'connect' : placed(tool) ? 'place' : tool}
      onKeyDown={press}
      onPointerMove={({ clientX, clientY }) => {
        const at = view.at({ x: clientX, y: clientY })
        desk.pointer.set(at)
        whereabouts.move(at)
        if (isPainted(canvas)) hover(canvas, blockAt(canvas, at))
      }}
      onDoubleClick={({ target, clientX, clientY }) => {
        const isPane = (target as Element).classList.contains('react-flow__pane')
        if (isPane && canEdit) addBlock(canvas, 'text', view.at({ x: clientX, y: clientY }))
      }}
      onPointerLeave={() => whereabouts.move(null)}
      {...drop}
      className="canvas relative min-h-0 flex-1 overflow-hidden bg-neutral-2 -outline-offset-2"
    >
      <p id="canvas-keys" className="sr-only">
        Tab goes from block to block, Enter writes, arrow keys move, the question mark shows all keys.
      </p>
      {isThere && (
        <CanvasFlow>
          <OthersLayer />
          {canEdit && <SelectionBar />}
        </CanvasFlow>
      )}
      <EmptyHint />
      <LiveBanner />
      <ModeHint />
      {canvas.isGuest && (
        <div className="absolute top-12 right-16 z-10 flex items-center gap-12">
          <SavingState />
          <People />
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
      {isOver && (
        <p className="pointer-events-none absolute inset-4 z-20 flex items-end justify-center rounded-panel pb-48 outline-2 outline-accent-text outline-dashed">
          <span className="rounded-round bg-accent px-16 py-8 text-13 text-on-accent shadow-float">
            Drop to add to {project.name}
          </span>
        </p>
      )}
    </div>
  )
}

/** What is painted becomes an element as soon as the pointer is over it, so that it can be taken. */
function hover({ desk }: OpenCanvas, id: string | null) {
  if (desk.hovered.get() !== id) desk.hovered.set(id)
}

function useFileDrop(canvas: OpenCanvas) {
  // Entering a child fires before leaving its parent, so what counts is how many have been entered.
  const [depth, setDepth] = useState(0)
  const takes = (event: DragEvent) => canvas.editable.get() && event.dataTransfer.types.includes('Files')
  return {
    isOver: depth > 0,
    onDragEnter: (event: DragEvent) => {
      if (takes(event)) setDepth((now) => now + 1)
    },
    onDragLeave: (event: DragEvent) => {
      if (takes(event)) setDepth((now) => Math.max(now - 1, 0))
    },
    onDragOver: (event: DragEvent) => {
      if (!takes(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      setDepth(0)
      if (!takes(event)) return
      event.preventDefault()
      placeFiles(canvas, event.dataTransfer, canvas.view.at({ x: event.clientX, y: event.clientY }))
    },
  }
}
