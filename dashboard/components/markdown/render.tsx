import { Check } from 'lucide-react'
import { type ComponentProps, type ComponentType, Fragment, memo, type ReactNode } from 'react'
import { t } from '../../../contract/text.ts'
import type { CodeProps } from './code-block.tsx'
import { Formula } from './formula.tsx'
import { type Image, type Inline, type Part, plainText, type Table } from './parse.ts'

interface Renderers {
  Code: ComponentType<CodeProps>
  /** A complete Mermaid block. */
  Diagram: ComponentType<{ text: string }>
  Link: ComponentType<{ href: string; children: ReactNode }>
  Image?: ComponentType<{ image: Image }>
  /** For text in brackets. */
  Text?: ComponentType<{ text: string }>
  /** `line` is the source line, from 0. */
  Task?: ComponentType<{ done: boolean; line: number; text: string }>
}

/** The page's title is the `h1`. */
const HEADINGS = { 1: 'h2', 2: 'h3', 3: 'h4' } as const
const SIZES = { 1: 'text-20', 2: 'text-16', 3: 'text-14' } as const

export function createRenderer({ Code, Diagram, Link, Image, Text, Task = TaskMark }: Renderers) {
  function part(shown: Part, index: number): ReactNode {
    switch (shown.kind) {
      case 'heading': {
        const Heading = HEADINGS[shown.depth]
        return (
          <Heading key={index} className={SIZES[shown.level]}>
            {shown.inside.map(span)}
          </Heading>
        )
      }
      case 'paragraph':
        return paragraph(shown, index)
      case 'quote':
        return <blockquote key={index}>{shown.inside.map(part)}</blockquote>
      case 'code':
        if (shown.language === 'mermaid' && shown.isClosed) return <Diagram key={index} text={shown.text} />
        return <Code key={index} text={shown.text} language={shown.language} isClosed={shown.isClosed} />
      case 'math':
        return <Formula key={index} tex={shown.text} isDisplay />
      case 'rule':
        return <hr key={index} />
      case 'list':
        return list(shown, index)
      case 'table':
        return table(shown, index)
    }
  }

  function paragraph(
    { isTight, inside }: Extract<Part, { kind: 'paragraph' }>,
    key: number,
    mark?: ReactNode,
  ) {
    const Element = isTight ? Fragment : 'p'
    return (
      <Element key={key}>
        {mark}
        {inside.map(span)}
      </Element>
    )
  }

  function list({ ordered, start, items }: Extract<Part, { kind: 'list' }>, key: number) {
    const children = items.map(({ done, line, inside }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their index.
      <li key={index} className={done === null ? undefined : 'list-none'}>
        {inside.map((shown, at) => {
          if (at > 0 || done === null || shown.kind !== 'paragraph') return part(shown, at)
          return paragraph(shown, at, <Task done={done} line={line} text={plainText(shown.inside)} />)
        })}
      </li>
    ))
    return ordered ? (
      <ol key={key} start={start}>
        {children}
      </ol>
    ) : (
      <ul key={key}>{children}</ul>
    )
  }

  function table({ header, rows, aligns }: Table, key: number) {
    const cell = (Cell: 'th' | 'td') => (inside: Inline[], column: number) => (
      <Cell key={column} className={CELLS[aligns[column] ?? 'left']}>
        {inside.map(span)}
      </Cell>
    )
    return (
      // A scrollable element must be focusable by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the table scrolls sideways.
      <div key={key} className="markdown-table" tabIndex={0}>
        <table>
          <thead>
            <tr>{header.map(cell('th'))}</tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their index.
              <tr key={index}>{row.map(cell('td'))}</tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  }

  function span(piece: Inline, index: number): ReactNode {
    if (typeof piece === 'string')
      return Text && piece.includes('[') ? (
        <Text key={index} text={piece} />
      ) : (
        <Fragment key={index}>{piece}</Fragment>
      )
    if (piece.kind === 'code') return <code key={index}>{piece.text}</code>
    if (piece.kind === 'math') return <Formula key={index} tex={piece.text} isDisplay={piece.isDisplay} />
    if (piece.kind === 'image') {
      if (Image) return <Image key={index} image={piece} />
      if ('fileId' in piece) return <Fragment key={index}>{piece.alt}</Fragment>
      return (
        <Link key={index} href={piece.href}>
          {piece.alt || piece.href}
        </Link>
      )
    }
    const inside = piece.inside.map(span)
    if (piece.kind === 'link') {
      return (
        <Link key={index} href={piece.href}>
          {inside}
        </Link>
      )
    }
    const Element = piece.kind
    return <Element key={index}>{inside}</Element>
  }

  // Skips rendering the same object again.
  const Block = memo(({ shown }: { shown: Part }) => part(shown, 0))
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their index.
  return (parts: Part[]) => parts.map((shown, index) => <Block key={index} shown={shown} />)
}

const CELLS = { left: 'text-left', center: 'text-center', right: 'text-right' }

function TaskMark({ done }: { done: boolean }) {
  return (
    <span
      role="img"
      aria-label={done ? t`Done:` : t`To do:`}
      className={`-ml-24 mr-8 inline-flex size-16 translate-y-px items-center justify-center rounded-control border align-text-top ${done ? 'border-selection bg-selection-wash text-selection-text' : 'border-neutral-8'}`}
    >
      {done && <Check aria-hidden strokeWidth={3} className="size-12" />}
    </span>
  )
}

/** Opens in a new tab without opener or referrer. */
export function OutLink(props: ComponentProps<'a'>) {
  return <a target="_blank" rel="noreferrer noopener" {...props} />
}
