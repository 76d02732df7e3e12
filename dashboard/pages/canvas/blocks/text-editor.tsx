import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useCanvas } from '../canvas-context.ts'
import { focusBlock } from '../flow/focus.ts'
import type { Block } from '../store/items.ts'

const SAVE_MS = 800

interface WordsEditorProps {
  block: Block
  field: 'title' | 'content'
  label: string
  /** Enter ends a line rather than the writing. */
  multiline?: boolean
  placeholder?: string
  className?: string
}

/** The words of a block, written where they stand. They are saved while one writes, and undone as one. */
export function WordsEditor({
  block,
  field,
  label,
  multiline,
  placeholder,
  className = '',
}: WordsEditorProps) {
  const { store, desk } = useCanvas()
  const { id } = block
  const [draft, setDraft] = useState(block[field] ?? '')
  const latest = useRef(draft)
  const area = useRef<HTMLTextAreaElement>(null)

  const save = () => {
    const now = store.items.blocks.get(id)
    const words = latest.current.trim() === '' ? null : latest.current
    if (now && now[field] !== words) {
      store.change({ update: { blocks: [{ id, [field]: words }] } }, `write ${field} ${id}`)
    }
  }
  const saveNow = useRef(save)
  useEffect(() => {
    saveNow.current = save
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: every letter starts the wait anew.
  useEffect(() => {
    const timer = setTimeout(() => saveNow.current(), SAVE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  useEffect(() => {
    area.current?.focus({ preventScroll: true })
    if (field === 'title') area.current?.select()
    else area.current?.setSelectionRange(latest.current.length, latest.current.length)
    return () => saveNow.current()
  }, [field])

  const end = () => {
    save()
    desk.written.set(id)
    desk.editing.set(null)
    dropIfEmpty(store, id)
  }
  const press = (event: KeyboardEvent) => {
    event.stopPropagation()
    const isEnd =
      event.key === 'Escape' ||
      (event.key === 'Enter' && (!multiline || event.ctrlKey || event.metaKey) && !event.shiftKey)
    if (!isEnd || event.nativeEvent.isComposing) return
    event.preventDefault()
    end()
    focusBlock(id)
  }
  return (
    <textarea
      ref={area}
      aria-label={label}
      value={draft}
      rows={1}
      placeholder={placeholder}
      maxLength={field === 'title' ? 255 : 100_000}
      onChange={(event) => {
        latest.current = event.target.value
        setDraft(event.target.value)
      }}
      onKeyDown={press}
      onBlur={end}
      className={`nodrag nopan nowheel size-full cursor-text resize-none bg-transparent outline-none placeholder:text-neutral-11 ${className}`}
    />
  )
}

/** A text that nobody wrote is no text. */
function dropIfEmpty(store: ReturnType<typeof useCanvas>['store'], id: string) {
  const block = store.items.blocks.get(id)
  if (block?.type !== 'text' || block.content || block.title) return
  store.change({ delete: { blocks: [id] } }, `write content ${id}`)
}
