import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { continueList } from '../../../components/markdown/tasks.ts'
import { useCanvas } from '../canvas-context.ts'
import { focusBlock } from '../flow/focus.ts'
import type { Block } from '../store/items.ts'

const SAVE_DEBOUNCE_MS = 800

interface TextEditorProps {
  block: Block
  field: 'title' | 'content'
  label: string
  /** Enter adds a line instead of finishing. */
  multiline?: boolean
  placeholder?: string
  className?: string
  onConfirm?: (() => void) | undefined
}

/** Saves while the user types, as one undo step. */
export function TextEditor(props: TextEditorProps) {
  const { block, field, label, multiline, placeholder, className = '', onConfirm } = props
  const { store, ui } = useCanvas()
  const { id } = block
  const [draft, setDraft] = useState(block[field] ?? '')
  const latest = useRef(draft)
  const area = useRef<HTMLTextAreaElement>(null)

  const save = () => {
    const current = store.items.blocks.get(id)
    const text = latest.current.trim() === '' ? null : latest.current
    if (current && current[field] !== text) {
      store.change({ update: { blocks: [{ id, [field]: text }] } }, `write ${field} ${id}`)
    }
  }
  const saveNow = useRef(save)
  useEffect(() => {
    saveNow.current = save
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change restarts the debounce.
  useEffect(() => {
    const timer = setTimeout(() => saveNow.current(), SAVE_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  useEffect(() => {
    area.current?.focus({ preventScroll: true })
    if (field === 'title') area.current?.select()
    else area.current?.setSelectionRange(latest.current.length, latest.current.length)
    return () => saveNow.current()
  }, [field])

  const finish = () => {
    save()
    ui.resizing.set(id)
    ui.editing.set(null)
    deleteIfEmpty(store, id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Enter' && multiline && !event.nativeEvent.isComposing) continueListAt(event)
    const finishes =
      event.key === 'Escape' ||
      (event.key === 'Enter' && (!multiline || event.ctrlKey || event.metaKey) && !event.shiftKey)
    if (!finishes || event.nativeEvent.isComposing) return
    event.preventDefault()
    finish()
    focusBlock(id)
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onConfirm?.()
  }
  const continueListAt = (event: KeyboardEvent) => {
    const textarea = area.current
    if (!textarea || event.shiftKey || event.ctrlKey || event.metaKey) return
    if (textarea.selectionStart !== textarea.selectionEnd) return
    const edit = continueList(textarea.value, textarea.selectionStart)
    if (!edit) return
    event.preventDefault()
    textarea.setRangeText(edit.insert, edit.from, textarea.selectionStart, 'end')
    latest.current = textarea.value
    setDraft(textarea.value)
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
      onKeyDown={onKeyDown}
      onBlur={finish}
      className={`nodrag nopan nowheel size-full cursor-text resize-none bg-transparent outline-none placeholder:text-neutral-11 ${className}`}
    />
  )
}

function deleteIfEmpty(store: ReturnType<typeof useCanvas>['store'], id: string) {
  const block = store.items.blocks.get(id)
  if (block?.type !== 'text' || block.content || block.title) return
  store.change({ delete: { blocks: [id] } }, `write content ${id}`)
}
