import { useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'

/** Accepts a zip file, dropped or selected. */
export function ImportArea({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard.
    <div
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file) onFile(file)
      }}
      className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 text-13 text-neutral-11 data-over:bg-accent-wash md:px-24"
    >
      <span>Drop a zip file with a skill here, or</span>
      <Button size="small" onClick={() => input.current?.click()}>
        Import…
      </Button>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        aria-label="Zip file with a skill"
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
    </div>
  )
}
