import { Check } from 'lucide-react'
import { createContext, type KeyboardEvent, memo, use } from 'react'
import { OutLink } from '../../../components/markdown/out-link.tsx'
import { createRenderer } from '../../../components/markdown/render.tsx'
import { focusBlock } from '../flow/focus.ts'
import '../../../components/markdown/markdown.css'

/** Ticks the task in a line of the text. Null for users who cannot edit. */
export const TickContext = createContext<((line: number) => void) | null>(null)

const render = createRenderer({
  Code: ({ text }) => (
    <pre>
      <code>{text}</code>
    </pre>
  ),
  Link: OutLink,
  Task: TaskBox,
})

/** Markdown whose tasks can be ticked in place. */
export const TickableMarkdown = memo(function TickableMarkdown({ text }: { text: string }) {
  return <div className="markdown">{render(text)}</div>
})

function TaskBox({ done, line, text }: { done: boolean; line: number; text: string }) {
  const tick = use(TickContext)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native checkbox looks different in every browser.
    <button
      type="button"
      role="checkbox"
      aria-checked={done}
      aria-label={text}
      data-task
      // Space moves the focus from the block to its first task.
      tabIndex={-1}
      disabled={!tick}
      onClick={() => tick?.(line)}
      // A double-click edits the block.
      onDoubleClick={(event) => event.stopPropagation()}
      className={`nodrag relative -ml-24 mr-8 inline-flex size-16 translate-y-px items-center justify-center rounded-control border align-text-top after:absolute after:-inset-8 ${done ? 'border-accent bg-accent text-on-accent' : 'border-neutral-8 bg-neutral-1 enabled:hover:border-accent-text'}`}
    >
      {done && <Check aria-hidden strokeWidth={3} className="size-12" />}
    </button>
  )
}

/** Moves between the tasks of a block with the arrow keys; Escape returns to the block. */
export function onTaskKeyDown(event: KeyboardEvent<HTMLElement>, blockId: string) {
  const task = (event.target as Element).closest('[data-task]')
  if (!task) return
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (event.key === 'Escape') focusBlock(blockId)
  else if (step) {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-task]')]
    all[all.indexOf(task as HTMLElement) + step]?.focus({ preventScroll: true })
  } else return
  event.preventDefault()
  event.stopPropagation()
}
