import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { fieldText, fieldType, fromText } from './cell-values.ts'
import { ChoiceEditor, type EditorProps, LinkEditor } from './option-editor.tsx'

export function CellEditor({ tableId, ...props }: EditorProps & { tableId: string }) {
  if (props.column.type === 'choice') return <ChoiceEditor {...props} />
  if (props.column.type === 'link') return <LinkEditor {...props} tableId={tableId} />
  return <TextEditor {...props} />
}

const INPUT =
  'size-full border-0 bg-card px-8 text-16 sm:text-13 outline-2 -outline-offset-2 outline-selection'

/** Scrolling it out of the grid, or leaving the page, saves what was typed; a reload asks. */
function TextEditor({ column, value, typed, onCommit, onCancel }: EditorProps) {
  const [before] = useState(() => fieldText(column, value))
  const [text, setText] = useState(typed ?? before)
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const isDone = useRef(false)

  function finish(move: 'down' | 'right' | 'left' | 'stay') {
    if (isDone.current) return
    isDone.current = true
    onCommit(text === before ? undefined : fromText(column, text), move)
  }

  const latest = useRef({ finish, isChanged: false })
  useEffect(() => {
    latest.current = { finish, isChanged: text !== before }
  })
  useLayoutEffect(() => {
    const input = ref.current
    input?.focus()
    if (typed === null) input?.select()
    else input?.setSelectionRange(typed.length, typed.length)
  }, [typed])
  useEffect(() => {
    const input = ref.current
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current.isChanged) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => {
      window.removeEventListener('beforeunload', ask)
      // Development mounts twice.
      if (latest.current.isChanged && !input?.isConnected) latest.current.finish('stay')
    }
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      isDone.current = true
      onCancel()
    } else if (event.key === 'Enter' && !((event.shiftKey || event.altKey) && column.type === 'text')) {
      event.preventDefault()
      finish('down')
    } else if (event.key === 'Tab') {
      event.preventDefault()
      finish(event.shiftKey ? 'left' : 'right')
    }
  }

  const control = {
    ref,
    'aria-label': t`Value of ${column.name}`,
    value: text,
    onKeyDown,
    onBlur: () => finish('stay'),
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
  }
  if (column.type === 'text') return <GrowingText text={text} control={control} />
  return (
    <input
      {...control}
      type={typed === null ? fieldType(column) : 'text'}
      inputMode={column.type === 'number' || column.type === 'money' ? 'decimal' : undefined}
      className={INPUT}
    />
  )
}

const TEXT_HEIGHT_MAX = 240

interface GrowingTextProps {
  text: string
  control: React.ComponentProps<'textarea'> & { ref: React.RefObject<HTMLTextAreaElement | null> }
}

/** As high as its text, over the cells below. */
function GrowingText({ text, control }: GrowingTextProps) {
  const { ref } = control
  useLayoutEffect(() => {
    const area = ref.current
    if (!area || text === '') return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, TEXT_HEIGHT_MAX)}px`
  }, [ref, text])
  return (
    <textarea
      {...control}
      rows={1}
      className={`${INPUT} absolute top-0 left-0 min-h-full min-w-filter resize-none py-4 shadow-float`}
    />
  )
}
