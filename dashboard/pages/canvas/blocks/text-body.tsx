import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useCanvas } from '../canvas-context.ts'
import { Markdown } from '../markdown/markdown.tsx'
import type { BodyProps } from './block-body.tsx'
import { WordsEditor } from './text-editor.tsx'

/** Longer texts are cut here: a block shows the beginning, and editing shows all of it. */
const SHOWN_MAX = 12_000

/** Words, as they are meant; while one writes, as they are written. Texts and notes differ in their ground only. */
export function TextBody({ block, editing }: BodyProps) {
  const hint = block.type === 'note' ? 'Write a note' : 'Write something'
  if (editing === 'content') {
    return (
      <WordsEditor
        block={block}
        field="content"
        label={block.type === 'note' ? 'Words of the note' : 'Words of the text'}
        multiline
        placeholder={`${hint}. # makes a heading, - a list`}
        className="p-12 text-14"
      />
    )
  }
  return (
    <Grown block={block}>
      {block.title && <p className="mb-4 font-strong">{block.title}</p>}
      {block.content ? (
        <Markdown text={block.content.slice(0, SHOWN_MAX)} />
      ) : (
        !block.title && <p className="text-neutral-11">Empty</p>
      )}
    </Grown>
  )
}

/** After somebody wrote more than there is room for, the block grows, as part of the same step. */
function Grown({ block, children }: { block: BodyProps['block']; children: ReactNode }) {
  const { store, desk } = useCanvas()
  const inside = useRef<HTMLDivElement>(null)
  const { id, height } = block
  useLayoutEffect(() => {
    if (desk.written.get() !== id) return
    desk.written.set(null)
    const { scrollHeight = 0, clientHeight = 0 } = inside.current ?? {}
    if (scrollHeight <= clientHeight) return
    const grown = Math.ceil(height + scrollHeight - clientHeight)
    store.change({ update: { blocks: [{ id, height: grown }] } }, `write content ${id}`)
  }, [id, height, store, desk])
  return (
    <div ref={inside} className="size-full overflow-hidden p-12">
      {children}
    </div>
  )
}
