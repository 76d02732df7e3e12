import { type DragEvent, type ReactNode, useState } from 'react'

interface DropAreaProps {
  /** Undefined where the reader can't attach files. */
  onFiles: ((files: File[]) => void) | undefined
  children: ReactNode
}

export function DropArea({ onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => onFiles !== undefined && event.dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button of the composer does the same by keyboard.
    <div
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles?.([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-8 z-20 flex items-center justify-center rounded-panel border-2 border-selection border-dashed bg-selection-wash font-medium">
          Drop to attach
        </div>
      )}
    </div>
  )
}
