import { useState } from 'react'
import { Button } from '../../button.tsx'

const LONG_LINES = 16
const LONG_CHARACTERS = 1500

/** The text of a message, as it was typed. A long one is cut, so that the answer is near. */
export function MessageText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > LONG_CHARACTERS || text.split('\n', LONG_LINES + 1).length > LONG_LINES
  return (
    <div className="flex min-w-0 max-w-full flex-col items-start gap-4 rounded-panel bg-neutral-3 px-12 py-8 sm:max-w-5/6">
      <div className={`wrap-anywhere whitespace-pre-wrap ${isLong && !isOpen ? 'line-clamp-12' : ''}`}>
        {text}
      </div>
      {isLong && (
        <Button look="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show the whole message'}
        </Button>
      )}
    </div>
  )
}
