import { type DragEvent, useState } from 'react'
import { Name } from '../../../components/name.tsx'
import { dropFiles } from '../actions/drop-files.ts'
import { useCanvas } from '../canvas-context.ts'
import type { OpenCanvas } from '../open-canvas.ts'

export function useFileDrop(canvas: OpenCanvas) {
  // A child's `dragenter` fires before its parent's `dragleave`.
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

export function DropHint() {
  const { project } = useCanvas()
  return (
    <p className="pointer-events-none absolute inset-4 z-20 flex items-end justify-center rounded-panel pb-48 outline-2 outline-selection outline-dashed">
      <span className="rounded-round bg-selection-solid px-16 py-8 text-13 text-on-accent shadow-float">
        Drop files to add them to <Name>{project.name}</Name>
      </span>
    </p>
  )
}
