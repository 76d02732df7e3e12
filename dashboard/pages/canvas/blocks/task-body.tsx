import { Check } from 'lucide-react'
import { toggleDone } from '../actions/toggle-done.ts'
import { useCanvas } from '../canvas-context.ts'
import { isDone } from './block-labels.ts'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

export function TaskBody({ block, editing, canEdit }: BodyProps) {
  const { store } = useCanvas()
  const done = isDone(block)
  return (
    <div className="flex size-full items-start gap-12 overflow-hidden p-12">
      {/* biome-ignore lint/a11y/useSemanticElements: a native checkbox looks different in every browser. */}
      <button
        type="button"
        role="checkbox"
        aria-checked={done}
        aria-label="Done"
        tabIndex={-1}
        disabled={!canEdit || block.locked}
        onClick={() => toggleDone(store, [block.id])}
        className={`nodrag flex size-24 shrink-0 items-center justify-center rounded-control border transition-colors ${done ? 'border-accent bg-accent text-on-accent' : 'border-neutral-8 bg-neutral-1 enabled:hover:border-accent-text'}`}
      >
        {done && <Check aria-hidden strokeWidth={3} className="icon" />}
      </button>
      <div className="h-full min-w-0 flex-1 py-px">
        {editing ? (
          <TextEditor block={block} field="title" label="Task name" placeholder="Task" />
        ) : (
          <p className={`break-words ${done ? 'text-neutral-11 line-through' : 'font-medium'}`}>
            {block.title || <span className="font-regular text-neutral-11">Task</span>}
          </p>
        )}
        {!editing && block.content && <p className="text-13 text-neutral-11">{block.content}</p>}
      </div>
    </div>
  )
}
