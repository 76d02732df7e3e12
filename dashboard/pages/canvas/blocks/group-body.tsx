import { useCanvas } from '../canvas-context.ts'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'
import { TEXT, toneOf } from './tones.ts'

export function GroupBody({ block, editing }: BodyProps) {
  const { drag } = useCanvas()
  const isDropTarget = drag.targetGroup.useSelect((id) => id === block.id)
  const tone = toneOf(block.color)
  return (
    <div
      className={`size-full rounded-panel p-12 ${isDropTarget ? 'bg-accent-wash outline-2 outline-accent-text' : ''}`}
    >
      {editing ? (
        <TextEditor block={block} field="title" label="Group name" className="h-24 font-medium text-13" />
      ) : (
        <span className={`block truncate font-medium text-13 ${tone ? TEXT[tone] : 'text-neutral-11'}`}>
          {block.title || 'Group'}
        </span>
      )}
    </div>
  )
}
