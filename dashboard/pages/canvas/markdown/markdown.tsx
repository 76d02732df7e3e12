import { Check } from 'lucide-react'
import { type ComponentProps, Fragment, memo, type ReactNode } from 'react'
import { type Part, parseBlocks } from './blocks.ts'
import { type Inline, parseInline } from './inline.ts'

/** Renders Markdown as React elements. HTML in the source stays text, so nothing in it can run. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="markdown">{parseBlocks(text).map(render)}</div>
})

/** Below the project name, which is the `h1` of the page. */
const HEADINGS = { 1: 'h2', 2: 'h3', 3: 'h4' } as const
const SIZES = { 1: 'text-20', 2: 'text-16', 3: 'text-14' } as const

function render(part: Part, index: number): ReactNode {
  switch (part.kind) {
    case 'heading': {
      const Heading = HEADINGS[part.depth]
      return (
        <Heading key={index} className={SIZES[part.level]}>
          {spans(part.text)}
        </Heading>
      )
    }
    case 'paragraph':
      return <p key={index}>{spans(part.text)}</p>
    case 'quote':
      return <blockquote key={index}>{part.inside.map(render)}</blockquote>
    case 'code':
      return (
        <pre key={index}>
          <code>{part.text}</code>
        </pre>
      )
    case 'rule':
      return <hr key={index} />
    case 'list':
      return <List key={index} part={part} />
  }
}

function List({ part }: { part: Extract<Part, { kind: 'list' }> }) {
  const items = part.items.map(({ done, text, inside }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other names for its parts.
    <li key={index} className={done === null ? undefined : 'list-none'}>
      {done !== null && <TaskMark done={done} />}
      {spans(text)}
      {inside.map(render)}
    </li>
  ))
  return part.ordered ? <ol start={part.start}>{items}</ol> : <ul>{items}</ul>
}

function TaskMark({ done }: { done: boolean }) {
  return (
    <span
      role="img"
      aria-label={done ? 'Done:' : 'To do:'}
      className={`-ml-24 mr-8 inline-flex size-16 translate-y-px items-center justify-center rounded-control border align-text-top ${done ? 'border-accent-text bg-accent-wash text-accent-text' : 'border-neutral-8'}`}
    >
      {done && <Check aria-hidden strokeWidth={3} className="size-12" />}
    </span>
  )
}

const spans = (text: string) => parseInline(text).map(span)

function span(piece: Inline, index: number): ReactNode {
  if (typeof piece === 'string') return <Fragment key={index}>{piece}</Fragment>
  if (piece.kind === 'code') return <code key={index}>{piece.text}</code>
  const inside = piece.inside.map(span)
  if (piece.kind === 'link') {
    return (
      <OutLink key={index} href={piece.href}>
        {inside}
      </OutLink>
    )
  }
  const Element = piece.kind
  return <Element key={index}>{inside}</Element>
}

/** Opens in a new tab without opener or referrer. Not a tab stop: on the canvas Tab moves between blocks. */
export function OutLink(props: ComponentProps<'a'>) {
  return <a tabIndex={-1} target="_blank" rel="noreferrer noopener" {...props} />
}
