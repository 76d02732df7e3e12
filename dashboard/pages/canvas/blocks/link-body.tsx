import { ExternalLink, Link2, SquarePlay } from 'lucide-react'
import { safeHref } from '../../../components/markdown/inline.ts'
import { OutLink } from '../../../components/markdown/out-link.tsx'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

/** A link card. It never loads the linked page, not even for embeds. */
export function LinkBody({ block, editing }: BodyProps) {
  const href = safeHref(block.content ?? '')
  const Icon = block.type === 'embed' ? SquarePlay : Link2
  if (editing) {
    return (
      <TextEditor
        block={block}
        field={editing === 'title' ? 'title' : 'content'}
        label={editing === 'title' ? 'Link name' : 'Link URL'}
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
        <p className="truncate font-medium">{block.title || (href && hostOf(href)) || 'Link'}</p>
        <p className="truncate text-12 text-neutral-11">
          {href ?? (block.content ? `Not a valid URL: ${block.content}` : 'No URL')}
        </p>
      </div>
      {href && (
        <OutLink
          href={href}
          aria-label={`Open ${hostOf(href)}`}
          className="nodrag flex size-32 shrink-0 items-center justify-center rounded-control text-neutral-11 hover:bg-neutral-4 hover:text-neutral-12"
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
