import { useCanvas } from '../canvas-context.ts'
import type { BodyProps } from './block-body.tsx'
import { WordsEditor } from './text-editor.tsx'
import { TEXT, toneOf } from './tones.ts'

/** A frame around blocks that belong together, with its name at the top. */
export function GroupBody({ block, editing }: BodyProps) {
  const { moving } = useCanvas()
  const isLanding = moving.landing.useSelect((id) => id === block.id)
  const tone = toneOf(block.color)
  return (
    <div
      className={`size-full rounded-panel p-12 ${isLanding ? 'bg-accent-wash outline-2 outline-accent-text' : ''}`}
    >
      {editing ? (
        <WordsEditor
          block={block}
          field="title"
          label="Name of the group"
          className="h-24 font-medium text-13"
        />
      ) : (
        <span className={`block truncate font-medium text-13 ${tone ? TEXT[tone] : 'text-neutral-11'}`}>
          {block.title || 'Group'}
        </span>
      )}
    </div>
  )
}
