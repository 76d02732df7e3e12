import { Bot } from 'lucide-react'
import { Markdown } from '../markdown/markdown.tsx'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

export function AgentBody({ block, editing }: BodyProps) {
  return (
    <div className="flex size-full flex-col overflow-hidden">
      <div className="flex items-center gap-8 border-neutral-6 border-b px-12 py-8">
        <span className="flex size-24 shrink-0 items-center justify-center rounded-round bg-accent-wash text-accent-text">
          <Bot aria-hidden className="icon" />
        </span>
        {editing === 'title' ? (
          <TextEditor block={block} field="title" label="Agent name" className="h-24 font-medium" />
        ) : (
          <span className="truncate font-medium">{block.title || 'Agent'}</span>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-hidden px-12 py-8 text-13">
        {editing === 'content' ? (
          <TextEditor
            block={block}
            field="content"
            label="Agent instructions"
            multiline
            placeholder="Instructions"
          />
        ) : block.content ? (
          <Markdown text={block.content} />
        ) : (
          <p className="text-neutral-11">Instructions</p>
        )}
      </div>
    </div>
  )
}
