import { Check, ExternalLink, Link2, SquarePlay } from 'lucide-react'
import type { ComponentType } from 'react'
import { t } from '../../../../contract/text.ts'
import { OutLink } from '../../../components/markdown/render.tsx'
import { safeHref } from '../../../components/markdown/safe-href.ts'
import { toggleDone } from '../actions/editing.ts'
import { useCanvas } from '../canvas-context.ts'
import { isDone } from '../model/block-labels.ts'
import { colorTone, TEXT } from '../model/tones.ts'
import type { BlockType } from '../store/items.ts'
import { AgentBody } from './agent-body.tsx'
import type { BodyProps } from './body-props.ts'
import { DrawingBody, ShapeBody } from './figure-body.tsx'
import { FileBody, ImageBody } from './file-body.tsx'
import { TableBody } from './table-body.tsx'
import { TextBody } from './text-body.tsx'
import { TextEditor } from './text-editor.tsx'

const BODIES: Record<BlockType, ComponentType<BodyProps>> = {
  text: TextBody,
  note: TextBody,
  file: FileBody,
  image: ImageBody,
  link: LinkBody,
  embed: LinkBody,
  agent: AgentBody,
  task: TaskBody,
  group: GroupBody,
  shape: ShapeBody,
  drawing: DrawingBody,
  table: TableBody,
}

export function BlockBody(props: BodyProps) {
  const Body = BODIES[props.block.type]
  return <Body {...props} />
}

function GroupBody({ block, editing }: BodyProps) {
  const { drag } = useCanvas()
  const isDropTarget = drag.targetGroup.useSelect((id) => id === block.id)
  const tone = colorTone(block.color)
  return (
    <div className="size-full" data-drop-target={isDropTarget || undefined}>
      {editing ? (
        <div className="canvas-group-label w-full">
          <TextEditor block={block} field="title" label="Group name" className="h-24 font-medium text-13" />
        </div>
      ) : (
        <span
          className={`canvas-group-label block truncate font-medium text-13 ${tone ? TEXT[tone] : 'text-neutral-11'}`}
        >
          {block.title || t`Group`}
        </span>
      )}
    </div>
  )
}

function TaskBody({ block, editing, canEdit }: BodyProps) {
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
        className={`nodrag flex relative size-16 shrink-0 translate-y-2 items-center justify-center rounded-[4px] border transition-colors after:absolute after:-inset-8 ${done ? 'border-neutral-11 bg-neutral-11 text-neutral-1' : 'border-neutral-8 bg-card enabled:hover:border-selection'}`}
      >
        {done && <Check aria-hidden strokeWidth={3} className="size-12" />}
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

/** Never loads the linked page, not even for embeds. */
function LinkBody({ block, editing }: BodyProps) {
  const href = safeHref(block.content ?? '')
  const Icon = block.type === 'embed' ? SquarePlay : Link2
  if (editing) {
    return (
      <TextEditor
        block={block}
        field={editing === 'title' ? 'title' : 'content'}
        label={editing === 'title' ? t`Link name` : t`Link URL`}
        placeholder="https://"
        className="p-12 font-mono text-13"
      />
    )
  }
  return (
    <div className="flex size-full items-center gap-12 overflow-hidden p-12">
      <span className="flex size-32 shrink-0 items-center justify-center rounded-control bg-info-wash text-info-text">
        <Icon aria-hidden className="icon" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{block.title || (href && hostOf(href)) || t`Link`}</p>
        <p className="truncate text-12 text-neutral-11">
          {href ?? (block.content ? t`Not a valid URL: ${block.content}` : t`No URL`)}
        </p>
      </div>
      {href && (
        <OutLink
          tabIndex={-1}
          href={href}
          aria-label={t`Open ${hostOf(href)}`}
          className="canvas-control nodrag flex size-32 shrink-0 items-center justify-center rounded-control text-neutral-11 hover:bg-hover hover:text-neutral-12"
        >
          <ExternalLink aria-hidden className="icon" />
        </OutLink>
      )}
    </div>
  )
}

function hostOf(href: string): string {
  const { host, pathname } = new URL(href)
  return host.replace(/^www\./, '') || pathname
}
