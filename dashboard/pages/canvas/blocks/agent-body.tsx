import { Bot } from 'lucide-react'
import { Markdown } from '../markdown/markdown.tsx'
import type { BodyProps } from './block-body.tsx'
import { WordsEditor } from './text-editor.tsx'

/** An agent that works here: its name, and what it is to do. */
export function AgentBody({ block, editing }: BodyProps) {
  return (
    <div className="flex size-full flex-col overflow-hidden">
      <div className="flex items-center gap-8 border-neutral-6 border-b px-12 py-8">
        <span className="flex size-24 shrink-0 items-center justify-center rounded-round bg-accent-wash text-accent-text">
          <Bot aria-hidden className="icon" />
        </span>
        {editing === 'title' ? (
          <WordsEditor block={block} field="title" label="Name of the agent" className="h-24 font-medium" />
        ) : (
          <span className="truncate font-medium">{block.title || 'Agent'}</span>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-hidden px-12 py-8 text-13">
        {editing === 'content' ? (
          <WordsEditor
            block={block}
            field="content"
            label="What the agent is to do"
            multiline
            placeholder="What is it to do?"
          />
        ) : block.content ? (
          <Markdown text={block.content} />
        ) : (
          <p className="text-neutral-11">What is it to do?</p>
        )}
      </div>
    </div>
  )
}
