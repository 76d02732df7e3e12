import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { toggleTask } from '../../../components/markdown/tasks.ts'
import { useCanvas } from '../canvas-context.ts'
import type { BodyProps } from './body-props.ts'
import { onTaskKeyDown, TickableMarkdown, TickContext } from './task-list.tsx'
import { TextEditor } from './text-editor.tsx'

/** A block shows only the beginning of a longer text; the editor shows all of it. */
const RENDERED_MAX = 12_000

/** Rendered Markdown, or its source while editing. Texts and notes differ only in color. */
export function TextBody({ block, editing, canEdit }: BodyProps) {
  const { store } = useCanvas()
  const { id } = block
  const [tick] = useState(() => (line: number) => {
    const content = store.items.blocks.get(id)?.content
    if (content) store.change({ update: { blocks: [{ id, content: toggleTask(content, line) }] } })
  })
  const hint = block.type === 'note' ? 'Write a note' : 'Write something'
  if (editing === 'content') {
    return (
      <TextEditor
        block={block}
        field="content"
        label={block.type === 'note' ? 'Note content' : 'Text content'}
        multiline
        placeholder={`${hint}. Markdown is supported.`}
        className="p-12 text-14"
      />
    )
  }
  return (
    <AutoGrow block={block}>
      {block.title && <p className="mb-4 font-strong">{block.title}</p>}
      {block.content ? (
        <TickContext value={canEdit && !block.locked ? tick : null}>
          <TickableMarkdown text={block.content.slice(0, RENDERED_MAX)} />
        </TickContext>
      ) : (
        !block.title && <p className="text-neutral-11">Empty</p>
      )}
    </AutoGrow>
  )
}

/** Grows the block to fit an edited text, in the same undo step. */
function AutoGrow({ block, children }: { block: BodyProps['block']; children: ReactNode }) {
  const { store, ui } = useCanvas()
  const content = useRef<HTMLDivElement>(null)
  const { id, height } = block
  useLayoutEffect(() => {
    if (ui.resizing.get() !== id) return
    ui.resizing.set(null)
    const { scrollHeight = 0, clientHeight = 0 } = content.current ?? {}
    if (scrollHeight <= clientHeight) return
    const newHeight = Math.ceil(height + scrollHeight - clientHeight)
    store.change({ update: { blocks: [{ id, height: newHeight }] } }, `write content ${id}`)
  }, [id, height, store, ui])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tasks inside take the keys.
    <div
      ref={content}
      onKeyDown={(event) => onTaskKeyDown(event, id)}
      className="size-full overflow-hidden p-12"
    >
      {children}
    </div>
  )
}
